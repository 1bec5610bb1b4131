import type { Schemas } from '../../api/client'
import { Badge, StateBadge } from '../../parts/badge'
import { formatLabel } from '../../parts/label'
import { Notice } from '../../parts/notice'
import { Table } from '../../parts/table'
import { Json } from '../../parts/value'

const tones = { allowed: 'good', inferred: 'info', denied: 'bad', error: 'bad', skipped: 'plain' } as const

const Checks = ({ checks }: { checks: Schemas['AccountCheck'][] }) => <Table
  columns={['Action', 'Region', 'Outcome', 'Detail']}
>
  {checks.map((check) => <tr key={`${check.id}${check.region}`}>
      <td><code>{check.action}</code></td>
      <td class='nowrap'>{check.region}</td>
      <td><Badge tone={tones[check.outcome]}>{check.outcome}</Badge></td>
      <td class='muted small'>{check.detail ?? ''}</td>
  </tr>)}
</Table>

/** The permissions of Steward in the account, and the policy that adds the missing ones. */
export const TestResult = ({ result }: { result: Schemas['AccountTest'] }) => {
  const missing = result.missing_permissions.length
  return (
    <section class='stack tight' aria-label='Result of the test'>
      <div class='row'><h3>Permission test</h3><StateBadge state={result.status} />
        <span class='small muted'>{result.identity?.arn ?? 'no identity'} · {result.duration_ms} ms</span>
      </div>
      {result.warnings.map((warning) => <Notice key={warning} tone='warn'>{formatLabel(warning)}</Notice>)}
      {missing === 0
        ? <Notice tone='good'>Nothing is missing.</Notice>
        : <Notice tone='bad'>{missing} {missing === 1 ? 'permission is' : 'permissions are'} missing:{' '}
          {result.missing_permissions.map(({ action }) => action).join(', ')}
        </Notice>}
      {result.policy_to_add !== null && result.policy_to_add !== undefined && <details>
        <summary>The policy to add</summary><Json value={result.policy_to_add} />
      </details>}
      <details><summary>{result.checks.length} checks</summary><Checks checks={result.checks} /></details>
    </section>
  )
}

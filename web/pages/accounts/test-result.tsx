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

const uses: Record<string, string> = {
  costs: 'costs and forecasts',
  containers_read: 'to show containers',
  containers_write: 'to scale and deploy containers',
  serverless_read: 'to show functions',
  serverless_invoke: 'to invoke functions',
  logs: 'to read logs'
}

const causes: Record<Schemas['MissingPermission']['cause'], string> = {
  identity_policy: 'no policy of the role or user allows it',
  explicit_deny: 'a policy denies it explicitly',
  scp: 'a policy of the organization denies it',
  boundary: 'the permissions boundary does not allow it',
  session_policy: 'the policy of the session does not allow it',
  unknown: 'AWS does not say why'
}

/** Each permission that is missing, with what it is for and why AWS refuses it. */
const Missing = ({ of: missing }: { of: Schemas['MissingPermission'][] }) => <>
  <Notice tone='bad'>{missing.length} {missing.length === 1 ? 'permission is' : 'permissions are'} missing.</Notice>
  <Table columns={['Permission', 'Needed', 'Why it is missing']}>
    {missing.map(({ action, resource, breaks, cause }) => <tr key={`${action} ${resource}`}>
      <td><code>{action}</code>{resource && <div class='small muted mono'>{resource}</div>}</td>
      <td>{breaks.map((name) => uses[name] ?? formatLabel(name)).join(', ') || 'to look around'}</td>
      <td class='muted'>{causes[cause]}</td>
    </tr>)}
  </Table>
</>

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
        : <Missing of={result.missing_permissions} />}
      {result.policy_to_add !== null && result.policy_to_add !== undefined && <details open>
        <summary>The policy to add</summary><Json value={result.policy_to_add} />
      </details>}
      <details><summary>{result.checks.length} checks</summary><Checks checks={result.checks} /></details>
    </section>
  )
}

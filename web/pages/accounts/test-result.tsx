import type { Schemas } from '../../api/client'
import { Badge, formatState, StateBadge } from '../../parts/badge'
import { formatLabel } from '../../parts/label'
import { Notice } from '../../parts/notice'
import { Table } from '../../parts/table'
import { Json } from '../../parts/value'
import { say, type Key } from '../../texts/say'
import { translate } from '../../texts/translate'

const tones = { allowed: 'good', inferred: 'info', denied: 'bad', error: 'bad', skipped: 'plain' } as const

const Checks = ({ checks }: { checks: Schemas['AccountCheck'][] }) => <Table
  columns={[
    say('account.check.action'), say('account.check.region'), say('account.check.outcome'), say('account.check.detail')
  ]}
>
  {checks.map((check) => <tr key={`${check.id}${check.region}`}>
      <td><code>{check.action}</code></td>
      <td class='nowrap'>{check.region}</td>
      <td><Badge tone={tones[check.outcome]}>{formatState(check.outcome)}</Badge></td>
      <td class='muted small'>{translate('services', check.detail ?? '')}</td>
  </tr>)}
</Table>

const uses: Record<string, Key> = {
  costs: 'account.use.costs',
  containers_read: 'account.use.containers',
  containers_write: 'account.use.deploy',
  serverless_read: 'account.use.functions',
  serverless_invoke: 'account.use.invoke',
  logs: 'account.use.logs',
  // As the policies to paste are called.
  read: 'account.use.look',
  deploy: 'account.use.deploy',
  invoke: 'account.use.invoke'
}

const warnings: Record<Schemas['AccountTest']['warnings'][number], Key> = {
  external_id_not_enforced: 'account.warning.externalId',
  keys_older_than_90_days: 'account.warning.oldKeys',
  wrong_account: 'account.warning.wrongAccount',
  root_credentials: 'account.warning.root',
  region_disabled: 'account.warning.region',
  session_tags_not_allowed: 'account.warning.tags',
  source_identity_not_allowed: 'account.warning.identity',
  session_policy_ignored: 'account.warning.policy'
}

const causes: Record<Schemas['MissingPermission']['cause'], Key> = {
  identity_policy: 'account.cause.identity',
  explicit_deny: 'account.cause.deny',
  scp: 'account.cause.scp',
  boundary: 'account.cause.boundary',
  session_policy: 'account.cause.session',
  unknown: 'account.cause.unknown'
}

/** @returns what a part of the test, or of what an account can do, is for */
export const useOf = (name: string): string => {
  const key = uses[name]
  return key ? say(key) : formatLabel(name)
}

/** Each permission that is missing, with what it is for and why AWS refuses it. */
const Missing = ({ of: missing }: { of: Schemas['MissingPermission'][] }) => <>
  <Notice tone='bad'>{say('account.missing', { count: missing.length })}</Notice>
  <Table columns={[say('account.missing.permission'), say('account.missing.needed'), say('account.missing.why')]}>
    {missing.map(({ action, resource, breaks, cause }) => <tr key={`${action} ${resource}`}>
      <td><code>{action}</code>{resource && <div class='small muted mono'>{resource}</div>}</td>
      <td>{breaks.map(useOf).join(', ') || say('account.use.look')}</td>
      <td class='muted'>{say(causes[cause])}</td>
    </tr>)}
  </Table>
</>

/** The permissions of Steward in the account, and the policy that adds the missing ones. */
export const TestResult = ({ result }: { result: Schemas['AccountTest'] }) => {
  const missing = result.missing_permissions.length
  return (
    <section class='stack tight' aria-label={say('account.result')}>
      <div class='row'><h3>{say('account.test.title')}</h3><StateBadge state={result.status} />
        <span class='small muted'>{result.identity?.arn ?? say('account.noIdentity')} · {result.duration_ms} ms</span>
      </div>
      {result.warnings.map((warning) => <Notice key={warning} tone='warn'>{say(warnings[warning])}</Notice>)}
      {missing === 0
        ? <Notice tone='good'>{say('account.missing.none')}</Notice>
        : <Missing of={result.missing_permissions} />}
      {result.policy_to_add !== null && result.policy_to_add !== undefined && <details open>
        <summary>{say('account.policyToAdd')}</summary><Json value={result.policy_to_add} />
      </details>}
      <details>
        <summary>{say('account.checks', { count: result.checks.length })}</summary><Checks checks={result.checks} />
      </details>
    </section>
  )
}

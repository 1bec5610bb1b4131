import { useSignal, type Signal } from '@preact/signals'
import { CircleCheck } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { ActionButton } from '../../parts/action-button'
import { Badge, StateBadge } from '../../parts/badge'
import { TextField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { goToMark } from '../../parts/marked-text'
import { Empty } from '../../parts/states'
import { idOf, formatField, tones } from './fields'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Content = Schemas['Content']
type Finding = Schemas['ReportFinding']

const severities = {
  error: 'content.severity.error', warn: 'content.severity.warn', suggestion: 'content.severity.suggestion'
} as const

interface ItemProps { finding: Finding, id: string, active: Signal<string | undefined>, onWaive: () => void }

const Item = ({ finding, id, active, onWaive }: ItemProps) => {
  const show = () => {
    active.value = id
    goToMark(id)
  }
  return (
    <li id={id} class={active.value === id ? 'finding active' : 'finding'}>
      <div class='row tight'>
        <Badge tone={tones[finding.severity]}>{say(severities[finding.severity])}</Badge>
        <span class='small muted grow'>{formatField(finding.field)} · <code>{finding.rule_id}</code></span>
      </div>
      <p>{translate('findings', finding.message)}</p>
      {finding.suggestions.length > 0 && <p class='small muted'>
        {say('content.instead', { suggestions: finding.suggestions.join(', ') })}
      </p>}
      <div class='row tight'>
        {finding.end > finding.start && <button
          type='button' class='small' aria-label={say('content.showOne', { text: finding.match })} onClick={show}
        >{say('content.show')}
        </button>}
        {finding.waived
          ? <Badge>{say('content.waived')}</Badge>
          // What does not follow is accepted as a statement.
          : finding.rule_id !== 'CNT-FCT-UNSUPPORTED' && <button
              type='button' class='small' onClick={onWaive}
              aria-label={say('content.waiveOne', { rule: finding.rule_id })}
          >{say('content.waive')}
          </button>}
      </div>
    </li>
  )
}

/** Waives the finding with a reason, which makes a version. */
const WaiveDialog = ({ content, finding, onClose, onChange }: {
  content: Content, finding: Finding, onClose: () => void, onChange: () => void
}) => {
  const reason = useSignal('')
  const act = async () => {
    const waiver = { rule_id: finding.rule_id, reason: reason.value, ...(finding.match && { match: finding.match }) }
    const params = { path: { content_id: content.id }, header: { 'If-Match': `"r${content.revision}"` } }
    await body(api.PUT('/content/{content_id}', {
      params, body: { ...content, waivers: [...content.waivers ?? [], waiver] }
    }))
    onChange()
  }
  return (
    <FormDialog title={say('content.waive.title')} verb={say('content.waive')} act={act} onClose={onClose}>
      <p>{translate('findings', finding.message)}</p>
      <TextField label={say('content.waive.reason')} value={reason} required minLength={3} maxLength={500} />
    </FormDialog>
  )
}

const Repair = ({ content, onChange }: { content: Content, onChange: () => void }) => {
  const fixable = content.checks.findings.filter((finding) => finding.fixable && !finding.waived).length
  if (fixable === 0) return null
  const repair = async () => {
    // The template engine makes only the certain repairs, without a model.
    await body(api.POST('/content/generate', { body: { mode: 'repair', engine: 'template', content_id: content.id } }))
    onChange()
  }
  return <ActionButton variant='small' act={repair}>{say('content.fix', { count: fixable })}</ActionButton>
}

interface Props { content: Content, active: Signal<string | undefined>, onChange: () => void }

/** The findings of the brand's rules, each with a link to its mark. */
export const Findings = ({ content, active, onChange }: Props) => {
  const waiving = useSignal<Finding | undefined>(undefined)
  const { findings, verdict } = content.checks
  return (
    <section class='card flush' aria-label={say('content.findings')}>
      <header><h2>{say('content.findings')}</h2>
        <div class='row tight'><StateBadge state={verdict} /><Repair content={content} onChange={onChange} /></div>
      </header>
      {findings.length === 0
        ? <Empty icon={CircleCheck} title={say('content.findings.none')}>
          <p>{say('content.findings.none.words')}</p>
        </Empty>
        : <ol class='plain findings' tabIndex={0} aria-label={say('content.findings.list')}>
          {findings.map((finding) => <Item
            key={idOf(findings, finding)} id={idOf(findings, finding)} finding={finding} active={active}
            onWaive={() => { waiving.value = finding }}
          />)}
        </ol>}
      {waiving.value && <WaiveDialog
        content={content} finding={waiving.value} onChange={onChange}
        onClose={() => { waiving.value = undefined }}
      />}
    </section>
  )
}

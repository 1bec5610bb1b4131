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

type Content = Schemas['Content']
type Finding = Schemas['ReportFinding']

interface ItemProps { finding: Finding, id: string, active: Signal<string | undefined>, onWaive: () => void }

const Item = ({ finding, id, active, onWaive }: ItemProps) => {
  const show = () => {
    active.value = id
    goToMark(id)
  }
  return (
    <li id={id} class={active.value === id ? 'finding active' : 'finding'}>
      <div class='row tight'>
        <Badge tone={tones[finding.severity]}>{finding.severity}</Badge>
        <span class='small muted grow'>{formatField(finding.field)} · <code>{finding.rule_id}</code></span>
      </div>
      <p>{finding.message}</p>
      {finding.suggestions.length > 0 && <p class='small muted'>Instead: {finding.suggestions.join(', ')}</p>}
      <div class='row tight'>
        {finding.end > finding.start && <button
          type='button' class='small' aria-label={`Show “${finding.match}”`} onClick={show}
        >Show
        </button>}
        {finding.waived
          ? <Badge>waived</Badge>
          : <button type='button' class='small' aria-label={`Waive ${finding.rule_id}`} onClick={onWaive}>Waive
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
    <FormDialog title='Waive the finding' verb='Waive' act={act} onClose={onClose}>
      <p>{finding.message}</p>
      <TextField label='Reason' value={reason} required minLength={3} maxLength={500} />
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
  return <ActionButton variant='small' act={repair}>Fix {fixable}</ActionButton>
}

interface Props { content: Content, active: Signal<string | undefined>, onChange: () => void }

/** The findings of the brand's rules, each with a link to its mark. */
export const Findings = ({ content, active, onChange }: Props) => {
  const waiving = useSignal<Finding | undefined>(undefined)
  const { findings, verdict } = content.checks
  return (
    <section class='card flush' aria-label='Findings'>
      <header><h2>Findings</h2>
        <div class='row tight'><StateBadge state={verdict} /><Repair content={content} onChange={onChange} /></div>
      </header>
      {findings.length === 0
        ? <Empty icon={CircleCheck} title='Nothing found'><p>The brand's rules found no problem.</p></Empty>
        : <ol class='plain findings' tabIndex={0} aria-label='List of findings'>
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

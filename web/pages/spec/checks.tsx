import { useSignal } from '@preact/signals'
import { CircleCheck } from '../../parts/icons'
import type { Schemas } from '../../api/client'
import { Badge, formatState, StateBadge } from '../../parts/badge'
import { field } from '../../parts/cell'
import { AreaField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { useKept } from '../../parts/kept'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { formKey } from './drafts'
import { KeptNotice } from './kept-notice'
import { nameOfTarget, withTitles } from './target-name'
import { sendInputs } from './send-inputs'
import type { Session, Spec, Version } from './index'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Finding = Schemas['Finding']
type Report = Schemas['CheckReport']
type SpecDocument = Schemas['SpecDocument']

const tones = { error: 'bad', warn: 'warn', info: 'info' } as const

/** A rule of a standard begins with its title, which a person wrote, or which comes with Steward. */
const wordsOfRule = (message: string): string => {
  const at = message.indexOf(': ')
  return at === -1
    ? message
    : `${translate('standards', message.slice(0, at))}: ${translate('rules', message.slice(at + 2))}`
}

const missingSection = 'PSE001'

const wordsOf = (document: SpecDocument, { rule_id: rule, target, message }: Finding): string => {
  if (rule === missingSection) return say('spec.section.missing', { title: nameOfTarget(document, target) })
  const whole = translate('specs', message)
  return withTitles(document, whole === message ? wordsOfRule(message) : whole)
}

interface RowProps { document: SpecDocument, finding: Finding, onWaive: () => void }

const Row = ({ document, finding, onWaive }: RowProps) => <tr>
  <td><Badge tone={tones[finding.severity]}>{formatState(finding.severity)}</Badge></td>
  <td>{nameOfTarget(document, finding.target)}</td>
  <td>{wordsOf(document, finding)}{finding.quote && <div class='small muted'>“{finding.quote}”</div>}</td>
  <td class='mono'>{finding.rule_id}</td>
  <td>{finding.status === 'open'
    ? <button
        type='button' class='small' aria-label={say('spec.waive.of', {
          rule: finding.rule_id, target: nameOfTarget(document, finding.target)
        })}
        onClick={onWaive}
    >{say('spec.waive')}
    </button>
    : <StateBadge state={finding.status} />}
  </td>
</tr>

const Coverage = ({ coverage }: { coverage: Report['coverage'] }) => <div class='card figures'>
  <div class='figure'><span class='small muted'>{say('spec.cited')}</span>
    <strong>{coverage.requirements_cited_pct === null ? '–' : `${coverage.requirements_cited_pct} %`}</strong>
  </div>
  {coverage.sentences !== undefined && <div class='figure'><span class='small muted'>{say('spec.decided')}</span>
    <strong>{say('spec.decidedOf', {
      decided: (coverage.taken ?? 0) + (coverage.set_aside ?? 0), all: coverage.sentences, undecided: coverage.undecided ?? 0
    })}
    </strong>
  </div>}
</div>

interface StandardsProps { document: SpecDocument, verdicts: Report['standards'] }

const Standards = ({ document, verdicts }: StandardsProps) => verdicts.length === 0
  ? null
  : <section class='card flush' aria-label={say('palette.standards')}>
    <header><h2>{say('palette.standards')}</h2></header>
    <Table
      columns={[say('standard.standard'), say('spec.rule'), say('spec.level'), say('spec.verdict'), say('spec.where')]}
    >
      {verdicts.map((verdict) => <tr key={verdict.key + verdict.rule_id}>
        <td>{verdict.key} v{verdict.version}</td><td class='mono'>{verdict.rule_id}</td><td>{verdict.level}</td>
        <td><StateBadge state={verdict.verdict} /></td>
        <td class='small'>{verdict.evidence.map(({ target }) => nameOfTarget(document, target)).join(', ') || '–'}</td>
      </tr>)}
    </Table>
  </section>

interface WaiveProps {
  session: Session
  document: SpecDocument
  finding: Finding
  onChange: () => void
  onClose: () => void
}

const WaiveDialog = ({ session, document, finding, onChange, onClose }: WaiveProps) => {
  const { rule_id, target } = finding
  const keeping = useKept(formKey(session.session_id, `waiver-${rule_id}-${target}`), '')
  const { of, forget } = keeping
  const reason = field(of, 'edited')
  const act = async () => {
    await sendInputs(session.session_id, { kind: 'waiver', rule_id, target, reason: reason.value })
    forget()
    onChange()
  }
  return (
    <FormDialog
      title={say('spec.waive.rule', { rule: rule_id })} verb={say('spec.waive')} act={act} onClose={onClose}
      onDiscard={forget}
    >
      <KeptNotice of={keeping} />
      <p>{wordsOf(document, finding)}</p>
      <AreaField label={say('spec.reason')} value={reason} required minLength={10} maxLength={1000} rows={3} />
    </FormDialog>
  )
}

const NothingFound = () => <Empty icon={CircleCheck} title={say('spec.findings.none')}>
  <p>{say('spec.findings.none.words')}</p>
</Empty>

interface FindingsProps { document: SpecDocument, report: Report, onWaive: (finding: Finding) => void }

const Findings = ({ document, report, onWaive }: FindingsProps) => <section
  class='card flush' aria-label={say('spec.findings')}
>
  <header><h2>{say('spec.findings')}</h2><StateBadge state={report.verdict} /></header>
  {report.findings.length === 0
    ? <NothingFound />
    : <Table
        columns={[
          say('spec.severity'), say('spec.where'), say('spec.what'), say('spec.rule'), { unseen: say('spec.waive') }
        ]}
    >
      {report.findings.map((finding) => <Row
        key={finding.finding_id} document={document} finding={finding} onWaive={() => onWaive(finding)}
      />)}
    </Table>}
  {report.findings_omitted > 0 && <p class='after-table small muted'>
    {say('spec.findings.omitted', { count: report.findings_omitted })}
  </p>}
</section>

/** The findings of the rules in this version. A person can waive each with a reason. */
export const Checks = ({ session, version: { checks, document }, onChange }: Spec & { version: Version }) => {
  const waiving = useSignal<Finding | undefined>(undefined)
  if (!checks) return <div class='card'><NothingFound /></div>
  return (
    <div class='stack'>
      <Coverage coverage={checks.coverage} />
      <Findings document={document} report={checks} onWaive={(finding) => { waiving.value = finding }} />
      <Standards document={document} verdicts={checks.standards} />
      {waiving.value && <WaiveDialog
        session={session} document={document} finding={waiving.value} onChange={onChange}
        onClose={() => { waiving.value = undefined }}
      />}
    </div>
  )
}

import './desk.css'
import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../../api/client'
import { useResource } from '../../../api/resource'
import { Preview } from '../../../approvals/preview'
import { Badge } from '../../../parts/badge'
import { Choice } from '../../../parts/form'
import { Notice } from '../../../parts/notice'
import { Loaded } from '../../../parts/states'
import { formatField } from '../fields'
import { foldRows, isSame, piecesOf, type Row } from './rows'

type Content = Schemas['Content']
type Comparison = Schemas['ContentComparison']
type Finding = Schemas['ReportFinding']

const show = (value: unknown): string => typeof value === 'string' ? value : JSON.stringify(value)

interface SideProps { line: Row['left'], side: 'left' | 'right' | 'right same', findings: Finding[] }

const Side = ({ line, side, findings }: SideProps) => {
  if (!line) return <div class={`${side} none`} />
  return (
    <div class={side}>{piecesOf(line, findings).map(({ text, changed, isFlagged }, index) => {
      const classes = isFlagged ? 'flagged' : undefined
      if (!changed) return <span key={index} class={classes}>{text}</span>
      return side === 'left'
        ? <del key={index} class={classes}>{text}</del>
        : <ins key={index} class={classes}>{text}</ins>
    })}
    </div>
  )
}

const Rows = ({ of }: { of: Comparison }) => {
  const inBody = (findings: (Finding | null)[]) =>
    findings.flatMap((one) => one?.field === 'body_markdown' && !one.waived ? [one] : [])
  const before = inBody(of.findings.map((one) => one.before))
  const after = inBody(of.findings.map((one) => one.after))
  return (
    <div class='sides' tabIndex={0} role='region' aria-label={`Text of v${of.from.version} beside v${of.to.version}`}>
      {foldRows(of.rows).map((row, index) => typeof row === 'number'
        ? <div key={index} class='folded small'>{row} lines are the same</div>
        : [
          <Side key={`l${index}`} line={row.left} side='left' findings={before} />,
          <Side key={`r${index}`} line={row.right} side={isSame(row) ? 'right same' : 'right'} findings={after} />
          ])}
    </div>
  )
}

const fates = {
  new: { tone: 'bad', title: 'New' }, gone: { tone: 'good', title: 'Gone' }, stays: { tone: 'plain', title: 'Stays' }
} as const

const Fates = ({ of }: { of: Comparison }) => <section class='card flush' aria-label='Findings of both'>
  <header><h2>Findings</h2></header>
  {of.findings.length === 0
    ? <p class='finding'>Neither version has any.</p>
    : <ol class='plain findings' tabIndex={0} aria-label='List of findings of both'>
      {of.findings.map(({ fate, before, after }, index) => {
        const finding = after ?? before
        return finding && <li key={index} class='finding'>
          <div class='row tight'><Badge tone={fates[fate].tone}>{fates[fate].title}</Badge>
            <span class='small muted grow'>{formatField(finding.field)} · <code>{finding.rule_id}</code></span>
          </div>
          <p>{finding.match !== '' && <>“{finding.match}”: </>}{finding.message}</p>
        </li>
      })}
    </ol>}
</section>

const Heads = ({ of: { from, to, same_rules: isSame } }: { of: Comparison }) => <>
  <div class='row spread'>
    {[from, to].map((side) => <span key={side.version}>v{side.version} · {side.title} <Badge>score {side.score}</Badge>
    </span>)}
  </div>
  {!isSame && <Notice tone='warn'>The two were checked by other rules: a finding may be new because a rule is.</Notice>}
</>

/** As many versions as fit into one choice. */
const mostVersions = 200

/** Two versions, line beside line, with what became of each finding. */
export const SideBySide = ({ content }: { content: Content }) => {
  const head = content.head_version
  const from = useSignal(String(Math.max(1, head - 1)))
  const to = useSignal(String(head))
  const versions = Object.fromEntries(Array.from({ length: Math.min(head, mostVersions) }, (_, index) =>
    [String(head - index), `v${head - index}`]))
  const query = { from: Number(from.value), to: Number(to.value) }
  const found = useResource([content.id, content.revision, from.value, to.value], (signal) =>
    body(api.GET('/content/{content_id}/comparison', { params: { path: { content_id: content.id }, query }, signal })))
  return (
    <div class='stack'>
      <div class='filters'>
        <Choice label='From' value={from} options={versions} />
        <Choice label='To' value={to} options={versions} />
      </div>
      <Loaded of={found}>{(of) => <div class='beside'>
        <section class='card stack' aria-label='Side by side'>
          <Heads of={of} />
          {of.fields.length > 0 && <Preview
            rows={of.fields.map((one) => ({ label: one.field, before: show(one.before), after: show(one.after) }))}
          />}
          <Rows of={of} />
        </section>
        <Fates of={of} />
      </div>}
      </Loaded>
    </div>
  )
}

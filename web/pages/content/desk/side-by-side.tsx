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
import { say } from '../../../texts/say'
import { translate } from '../../../texts/translate'

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
    <div
      class='sides' tabIndex={0} role='region'
      aria-label={say('sides.label', { from: String(of.from.version), to: String(of.to.version) })}
    >
      {foldRows(of.rows).map((row, index) => typeof row === 'number'
        ? <div key={index} class='folded small'>{say('sides.same', { count: row })}</div>
        : [
          <Side key={`l${index}`} line={row.left} side='left' findings={before} />,
          <Side key={`r${index}`} line={row.right} side={isSame(row) ? 'right same' : 'right'} findings={after} />
          ])}
    </div>
  )
}

const fates = {
  new: { tone: 'bad', title: 'sides.new' },
  gone: { tone: 'good', title: 'sides.gone' },
  stays: { tone: 'plain', title: 'sides.stays' }
} as const

const Fates = ({ of }: { of: Comparison }) => <section class='card flush' aria-label={say('sides.both')}>
  <header><h2>{say('content.findings')}</h2></header>
  {of.findings.length === 0
    ? <p class='finding'>{say('sides.none')}</p>
    : <ol class='plain findings' tabIndex={0} aria-label={say('sides.list')}>
      {of.findings.map(({ fate, before, after }, index) => {
        const finding = after ?? before
        return finding && <li key={index} class='finding'>
          <div class='row tight'><Badge tone={fates[fate].tone}>{say(fates[fate].title)}</Badge>
            <span class='small muted grow'>{formatField(finding.field)} · <code>{finding.rule_id}</code></span>
          </div>
          <p>{finding.match !== '' && <><q>{finding.match}</q>: </>}{translate('findings', finding.message)}</p>
        </li>
      })}
    </ol>}
</section>

const Heads = ({ of: { from, to, same_rules: isSame } }: { of: Comparison }) => <>
  <div class='row spread'>
    {[from, to].map((side) => <span key={side.version}>
      v{side.version} · {side.title} <Badge>{say('content.score', { score: side.score })}</Badge>
    </span>)}
  </div>
  {!isSame && <Notice tone='warn'>{say('sides.rules')}</Notice>}
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
        <Choice label={say('sides.from')} value={from} options={versions} />
        <Choice label={say('sides.to')} value={to} options={versions} />
      </div>
      <Loaded of={found}>{(of) => <div class='beside'>
        <section class='card stack' aria-label={say('sides.title')}>
          <Heads of={of} />
          {of.fields.length > 0 && <Preview
            rows={of.fields.map(({ field, before, after }) =>
              ({ label: formatField(field), before: show(before), after: show(after) }))}
          />}
          <Rows of={of} />
        </section>
        <Fates of={of} />
      </div>}
      </Loaded>
    </div>
  )
}

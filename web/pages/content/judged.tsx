import { useSignal } from '@preact/signals'
import type { Schemas } from '../../api/client'
import { MarkedText, type Mark } from '../../parts/marked-text'
import { idOf, formatField, textsOf, tones } from './fields'
import { Findings } from './findings'
import { Statements } from './statements'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Content = Schemas['Content']
type Finding = Schemas['ReportFinding']

const marksOf = (findings: Finding[], field: string): Mark[] =>
  findings.filter((finding) => finding.field === field && finding.end > finding.start && !finding.waived)
    .map((finding) => ({
      id: idOf(findings, finding),
      start: finding.start,
      end: finding.end,
      tone: tones[finding.severity],
      title: translate('findings', finding.message)
    }))

/** The text with a mark for each finding, and the findings beside it. */
export const Judged = ({ content, onChange }: { content: Content, onChange: () => void }) => {
  const active = useSignal<string | undefined>(undefined)
  const { findings } = content.checks
  const pick = (id: string) => {
    active.value = id
    document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <div class='beside'>
      <article class='card stack' aria-label={say('content.text')}>
        {textsOf(content).map(([field, text]) => <section key={field} class='stack tight'>
          <h2 class='small muted'>{formatField(field)}</h2>
          <MarkedText text={text} marks={marksOf(findings, field)} active={active.value} onPick={pick} />
        </section>)}
      </article>
      <div class='stack'>
        <Findings content={content} active={active} onChange={onChange} />
        <Statements content={content} onChange={onChange} />
      </div>
    </div>
  )
}

import { useEffect } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { Badge, formatState } from '../../parts/badge'
import { goToMark, MarkedText } from '../../parts/marked-text'
import { Notice } from '../../parts/notice'
import { Loaded } from '../../parts/states'
import { Time } from '../../parts/time'
import { leftOutOf, markOfNotTaken, marksOf, nameOf } from './citations'
import type { Spec } from './index'
import { say } from '../../texts/say'

type Input = Schemas['SpecInputText']

/** The most characters in one response. */
const most = 200_000

const Text = ({ input, spec, at }: { input: Input, spec: Spec, at: string | undefined }) => {
  const marks = spec.version ? marksOf(spec.version.document, input.input_id) : []
  const aside = spec.version ? markOfNotTaken(spec.version.document, input.input_id, at) : []
  const leftOut = leftOutOf(input)
  useEffect(() => { if (at) goToMark(at) }, [at, input.input_id])
  return (
    <article class='card stack' aria-label={say('spec.inputText')}>
      <header><h2>{nameOf(input)}</h2>
        <p class='small muted'>
          {formatState(input.kind)} · <Badge>{formatState(input.trust)}</Badge> · <Time at={input.created_at} /> ·{' '}
          {marks.length === 0 ? say('spec.uncited') : say('spec.citations', { count: marks.length })}
        </p>
      </header>
      {leftOut && <Notice tone='warn'>{say('spec.leftOut', { what: leftOut })}</Notice>}
      <MarkedText text={input.text} marks={[...marks, ...aside]} active={at} />
      {input.next_offset !== null && <Notice>{say('spec.beginning')}</Notice>}
    </article>
  )
}

interface Props { spec: Spec, input: string, at: string | undefined }

/** The text of one input, with marks where the spec cites it. */
export const InputText = ({ spec, input, at }: Props) => {
  const id = spec.session.session_id
  const text = useResource([id, input], (signal) => body(api.GET('/pse/sessions/{session_id}/inputs/{input_id}',
    { params: { path: { session_id: id, input_id: input }, query: { length: most } }, signal })))
  return (
    <div class='stack'>
      <p><Link href={`/specs/${id}/inputs`}>{say('spec.inputs.all')}</Link></p>
      <Loaded of={text}>{(data) => <Text input={data} spec={spec} at={at} />}</Loaded>
    </div>
  )
}

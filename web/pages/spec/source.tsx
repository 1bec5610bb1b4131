import { createContext, type ComponentChildren } from 'preact'
import { useContext, useEffect } from 'preact/hooks'
import { useSignal, type Signal } from '@preact/signals'
import { api, body } from '../../api/client'
import { useResource } from '../../api/resource'
import { goToMark, MarkedText } from '../../parts/marked-text'
import { Loaded } from '../../parts/states'
import { anchorOf, marksOf, nameOf } from './citations'
import type { Version } from './index'
import { say } from '../../texts/say'

interface Place { input: string, at: string, start: number, end: number }
interface Range { char_start: number, char_end: number }

const Shown = createContext<Signal<Place | undefined> | undefined>(undefined)

/** @returns how a part of the spec shows its place in the source beside it */
export const useSource = () => {
  const shown = useContext(Shown)
  return {
    canShow: shown !== undefined,
    isOpen: shown?.value !== undefined,
    show: (input: string, range: Range) => {
      if (shown) shown.value = { input, at: anchorOf(range), start: range.char_start, end: range.char_end }
    }
  }
}

/** Scrolls to the requirement or story that cites a place, and focuses it. */
const goToCiting = ({ document: { requirements, stories } }: Version, input: string, mark: string): void => {
  const found = [...requirements, ...stories].find(({ citations }) =>
    citations.some((one) => one.input_id === input && anchorOf(one) === mark))
  const card = found && document.querySelector<HTMLElement>(`[data-item="${CSS.escape(found.id)}"]`)
  card?.scrollIntoView({ block: 'center' })
  card?.focus({ preventScroll: true })
}

const most = 200_000

interface Props { session: string, version: Version, place: Place, onClose: () => void }

const Source = ({ session, version, place, onClose }: Props) => {
  const { input, at, start, end } = place
  const text = useResource([session, input], (signal) => body(api.GET('/pse/sessions/{session_id}/inputs/{input_id}',
    { params: { path: { session_id: session, input_id: input }, query: { length: most } }, signal })))
  const marks = marksOf(version.document, input)
  const own = marks.some(({ id }) => id === at) ? [] : [{ id: at, start, end, tone: 'warn' as const, title: say('spec.source') }]
  useEffect(() => { goToMark(at) }, [at, text.data])
  return (
    <aside class='card stack source' aria-label={say('spec.source')}>
      <Loaded of={text}>{(data) => <>
        <header class='row spread'><h2>{nameOf(data)}</h2>
          <button type='button' class='small' onClick={onClose}>{say('spec.source.close')}</button>
        </header>
        <MarkedText text={data.text} marks={[...marks, ...own]} active={at} onPick={(mark) => { goToCiting(version, input, mark) }} />
      </>}
      </Loaded>
    </aside>
  )
}

/** The spec, with the source of what a person picks beside it. A mark of the source leads back to what cites it. */
export const WithSource = ({ session, version, children }: { session: string, version: Version, children: ComponentChildren }) => {
  const shown = useSignal<Place | undefined>(undefined)
  return (
    <Shown.Provider value={shown}>
      <div class={shown.value ? 'with-source' : ''}>
        <div class='stack'>{children}</div>
        {shown.value && <Source session={session} version={version} place={shown.value} onClose={() => { shown.value = undefined }} />}
      </div>
    </Shown.Provider>
  )
}

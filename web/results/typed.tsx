import { Component, type ComponentChildren, type ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { api, body } from '../api/client'
import { useResource } from '../api/resource'
import { Code } from '../parts/result-icons'
import { ProblemWords } from '../parts/notice'
import { problemIn } from '../parts/problem-words'
import { Loading } from '../parts/states'
import { Json, Result } from '../parts/value'
import type { ViewProps } from './operation'
import { operationOf } from './registry'
import './results.css'
import { loadTexts } from '../texts/language'
import { say } from '../texts/say'

/** A result that is not what its operation promises, such as one of an older version, is shown as it is. */
class Guard extends Component<{ instead: ComponentChildren, children: ComponentChildren }, { failed: boolean }> {
  override state = { failed: false }
  static override getDerivedStateFromError = () => ({ failed: true })

  override render () {
    return this.state.failed ? this.props.instead : this.props.children
  }
}

type Shown = ComponentType<ViewProps<unknown>>

/** @returns the view of the operation; null when it has none, undefined until it is loaded */
const useView = (name: string): Shown | null | undefined => {
  const loaded = useSignal<{ view: Shown | null } | undefined>(undefined)
  useEffect(() => {
    loaded.value = undefined
    const { view } = operationOf(name)
    if (!view) {
      loaded.value = { view: null }
      return
    }
    // The view belongs to this operation, whose result it gets.
    Promise.all([view.load(), loadTexts(...view.parts)])
      .then(([{ default: shown }]) => { loaded.value = { view: shown as Shown } },
        () => { loaded.value = { view: null } })
  }, [name])
  return loaded.value?.view
}

export interface Answered {
  /** Of the call, whose record has the whole of a result that the stream had to cut. */
  id?: string
  name: string
  arguments: unknown
  result: unknown
  truncated: boolean
  status: string
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const Body = ({ call }: { call: Answered }) => {
  const plain = <Result value={call.result} />
  const isWhole = call.status === 'succeeded' && !call.truncated && isObject(call.result)
  const View = useView(isWhole ? call.name : '')
  const problem = call.status === 'succeeded' ? undefined : problemIn(call.result)
  if (problem) return <ProblemWords problem={problem} />
  if (View === undefined) return <Loading what={say('chat.view.loading')} />
  if (View === null) return plain
  return (
    <Guard instead={plain}><View result={call.result} given={isObject(call.arguments) ? call.arguments : {}} /></Guard>
  )
}

/** @returns the call with its whole result, where the reader may read it and it was kept */
const useWhole = (call: Answered): Answered => {
  const isCut = call.truncated && call.id !== undefined
  const { data } = useResource([call.id, isCut], async (signal) => isCut
    ? body(api.GET('/api/v1/agent/tool-calls/{tool_call_id}', {
      params: { path: { tool_call_id: call.id ?? '' } }, signal
    })).catch(() => undefined)
    : undefined)
  return data?.finished_at && !data.truncated ? { ...call, result: data.result, truncated: false } : call
}

/** A result in the form that its operation has, and the answer itself one click away. */
export const TypedResult = ({ call: given }: { call: Answered }) => {
  const call = useWhole(given)
  const isRaw = useSignal(false)
  return (
    <div class='typed-result stack tight'>
      <button
        type='button' class='quiet small raw' aria-pressed={isRaw.value} onClick={() => { isRaw.value = !isRaw.value }}
      ><Code size={14} aria-hidden='true' />{say('chat.raw')}
      </button>
      {isRaw.value ? <Json value={call.result} /> : <Body key={String(call.truncated)} call={call} />}
      {call.truncated && <p class='small muted'>{say('chat.cut')}</p>}
    </div>
  )
}

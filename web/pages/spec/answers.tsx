import { createContext, type ComponentChildren } from 'preact'
import { useContext, useEffect, useRef } from 'preact/hooks'
import { api, body } from '../../api/client'
import { useResource } from '../../api/resource'
import type { Session } from './index'

type Answers = ReadonlyMap<string, string>

const Read = createContext<Answers | undefined>(undefined)

/** The most inputs of a spec, and characters of an answer. */
const most = { inputs: 100, chars: 4000 }

/** @returns the answers that hold, by the ids of their questions: also those that no version has taken in yet */
const readAnswers = async (id: string, signal: AbortSignal): Promise<Answers> => {
  const path = { session_id: id }
  const { items } = await body(api.GET('/pse/sessions/{session_id}/inputs',
    { params: { path, query: { limit: most.inputs } }, signal }))
  const answers = items.filter(({ kind, status }) => kind === 'answer' && status === 'ready')
  return new Map(await Promise.all(answers.map(async ({ input_id, source }) => {
    const params = { path: { ...path, input_id }, query: { length: most.chars } }
    const { text } = await body(api.GET('/pse/sessions/{session_id}/inputs/{input_id}', { params, signal }))
    return [String(source.question_id), text] as const
  })))
}

/** Reads what people have answered, and again when the spec has got another input. */
export const WithAnswers = ({ session, children }: { session: Session, children: ComponentChildren }) => {
  const { session_id: id, inputs } = session
  const { data, problem, reload } = useResource([id], (signal) => readAnswers(id, signal))
  const seen = useRef(inputs)
  useEffect(() => {
    if (seen.current !== inputs) reload()
    seen.current = inputs
  }, [inputs])
  // A question can be answered though the answers before cannot be read.
  return <Read.Provider value={data ?? (problem && new Map())}>{children}</Read.Provider>
}

/** @returns the answer to a question, where there is one; and whether that is known yet */
export const useAnswer = (question: string): { answer: string | undefined, isRead: boolean } => {
  const read = useContext(Read)
  return { answer: read?.get(question), isRead: read !== undefined }
}

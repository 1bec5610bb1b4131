import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { problemOf, type Problem } from '../../api/problem'
import { Badge } from '../../parts/badge'
import { AreaField, Choice, Form, TextField } from '../../parts/form'
import { List } from '../../parts/list'
import { ProblemNotice } from '../../parts/notice'
import { isTyping } from '../../parts/typing'
import { wordsOfLocation } from './citations'
import { sendOps } from './send-inputs'
import { useSource } from './source'
import type { Written } from './index'
import { say, type Key } from '../../texts/say'
import { translate } from '../../texts/translate'

type Sentence = Schemas['NotTaken']
type Decision = 'take' | 'dismiss' | 'join' | 'reopen'

const keyOf = ({ input_id: id, char_start: start }: Sentence): string => `${id}@${start}`
const decided: Readonly<Record<Exclude<Decision, 'reopen'>, Key>> =
  { take: 'spec.decide.taken', dismiss: 'spec.decide.dismissed', join: 'spec.decide.joined' }

/** Sends decisions in their order, as many at once as have gathered meanwhile, so that nobody waits for a version. */
const useDecisions = (session: string, onSent: () => void) => {
  const waiting = useRef<Schemas['EditOp'][]>([])
  const isSending = useRef(false)
  const problem = useSignal<Problem | undefined>(undefined)
  const states = useSignal<ReadonlyMap<string, Decision>>(new Map())
  const send = async () => {
    if (isSending.current) return
    isSending.current = true
    problem.value = undefined
    try {
      while (waiting.current.length > 0) {
        const ops = waiting.current.slice(0, 100)
        await sendOps(session, ops)
        waiting.current.splice(0, ops.length)
      }
      onSent()
    } catch (error) {
      problem.value = problemOf(error)
    } finally {
      isSending.current = false
    }
  }
  const decide = (sentence: Sentence, op: Decision, value?: unknown) => {
    waiting.current.push({ op, target: keyOf(sentence), ...(value !== undefined && { value }) })
    states.value = new Map([...states.value, [keyOf(sentence), op]])
    void send()
  }
  return { decide, states: states.value, problem: problem.value, retry: () => { void send() } }
}

interface FormProps {
  sentence: Sentence
  version: Written['version']
  onDecide: (op: Decision, value?: unknown) => void
  onClose: () => void
}

/** Words a sentence otherwise, or makes it a part of a requirement that is there. */
const EditSentence = ({ sentence, version, onDecide, onClose }: FormProps) => {
  const words = useSignal(sentence.quote)
  const home = useSignal('')
  const active = version.document.requirements.filter(({ status, locked }) => status === 'active' && !locked)
  const options = Object.fromEntries([['', say('spec.decide.own')], ...active.map(({ id, title }) => [id, `${id}: ${title}`])])
  const save = () => {
    if (home.value !== '') onDecide('join', home.value)
    else onDecide('take', words.value === sentence.quote ? undefined : { statement: words.value })
    return Promise.resolve()
  }
  return (
    <Form onSubmit={save} label={say('spec.decide.edit')}>
      <AreaField label={say('spec.decide.words')} value={words} required maxLength={2_000} autoFocus />
      <Choice label={say('spec.decide.part')} value={home} options={options} />
      <div class='row tight'>
        <button type='submit' class='small primary'>{say('spec.decide.take')}</button>
        <button type='button' class='small' onClick={onClose}>{say('common.cancel')}</button>
      </div>
    </Form>
  )
}

const Reason = ({ onDecide, onClose }: Pick<FormProps, 'onDecide' | 'onClose'>) => {
  const why = useSignal('')
  return (
    <Form onSubmit={() => { onDecide('dismiss', why.value || undefined); return Promise.resolve() }} label={say('spec.decide.dismiss')}>
      <TextField label={say('spec.decide.why')} value={why} maxLength={300} autoFocus />
      <div class='row tight'>
        <button type='submit' class='small primary'>{say('spec.decide.dismiss')}</button>
        <button type='button' class='small' onClick={onClose}>{say('common.cancel')}</button>
      </div>
    </Form>
  )
}

/** Keys that move and decide; capital N asks for the reason. */
const keys: Readonly<Record<string, 'next' | 'before' | 'take' | 'dismiss' | 'reason' | 'edit'>> = {
  j: 'next', ArrowDown: 'next', k: 'before', ArrowUp: 'before', y: 'take', n: 'dismiss', N: 'reason', e: 'edit'
}

interface SentencesProps extends Written { of: readonly Sentence[] }

const Sentences = ({ of: items, ...written }: SentencesProps) => {
  const { session, version, onChange } = written
  const { decide, states, problem, retry } = useDecisions(session.session_id, onChange)
  const at = useSignal(0)
  const asked = useSignal<'edit' | 'reason' | undefined>(undefined)
  const list = useRef<HTMLUListElement>(null)
  const source = useSource()
  const focus = (to: number) => {
    at.value = Math.max(0, Math.min(items.length - 1, to))
    asked.value = undefined
    list.current?.querySelectorAll<HTMLElement>(':scope > li')[at.value]?.focus()
  }
  /** The next one that nobody has decided, or the one below. */
  const goOn = () => {
    const next = items.findIndex((one, index) => index > at.value && !states.has(keyOf(one)))
    focus(next === -1 ? at.value + 1 : next)
  }
  const current = items[at.value]
  const choose = (op: Decision, value?: unknown) => {
    if (current) decide(current, op, value)
    goOn()
  }
  useEffect(() => { if (source.isOpen && current) source.show(current.input_id, current) }, [at.value])
  const onKeyDown = (event: KeyboardEvent) => {
    const key = event.ctrlKey || event.metaKey || event.altKey || isTyping(event) ? undefined : keys[event.key]
    if (!key || !current) return
    event.preventDefault()
    if (key === 'next' || key === 'before') focus(at.value + (key === 'next' ? 1 : -1))
    else if (key === 'edit' || key === 'reason') asked.value = key
    else choose(key)
  }
  return (
    <>
      {problem && <ProblemNotice problem={problem} retry={retry} />}
      <ul class='plain stack tight' ref={list} onKeyDown={onKeyDown}>{items.map((one, index) => {
        const state = states.get(keyOf(one))
        const isCurrent = index === at.value
        return (
          <li
            key={keyOf(one)} tabIndex={isCurrent ? 0 : -1} class={isCurrent ? 'sentence current' : 'sentence'}
            aria-current={isCurrent} onFocus={() => { at.value = index }}
          >
            <p>{one.quote}</p>
            <p class='small muted'>{translate('reasons', one.why)} · {wordsOfLocation(one.location)}</p>
            {state && state !== 'reopen'
              ? <p class='row tight'><Badge tone={state === 'dismiss' ? 'warn' : 'good'}>{say(decided[state])}</Badge>
                {state === 'dismiss' && <button type='button' class='small' onClick={() => { decide(one, 'reopen') }}>
                  {say('spec.decide.reopen')}
                </button>}
              </p>
              : isCurrent && asked.value === undefined && <p class='row tight'>
                <button type='button' class='small' onClick={() => { choose('take') }}>{say('spec.decide.take')} <kbd>y</kbd></button>
                <button type='button' class='small' onClick={() => { choose('dismiss') }}>{say('spec.decide.dismiss')} <kbd>n</kbd></button>
                <button type='button' class='small' onClick={() => { asked.value = 'edit' }}>{say('spec.decide.edit')} <kbd>e</kbd></button>
                <button type='button' class='small' onClick={() => { source.show(one.input_id, one) }}>{say('spec.source.show')}</button>
              </p>}
            {isCurrent && asked.value === 'edit' &&
              <EditSentence sentence={one} version={version} onDecide={choose} onClose={() => { focus(index) }} />}
            {isCurrent && asked.value === 'reason' && <Reason onDecide={choose} onClose={() => { focus(index) }} />}
          </li>
        )
      })}
      </ul>
    </>
  )
}

/** What nobody has decided, with the keys that decide it. The list is of the version with which the page began. */
export const Decide = (written: Written) => {
  const { session, version } = written
  const first = useRef(version.version)
  const path = { session_id: session.session_id, version: first.current }
  const sentences = usePages<Sentence>([path.session_id, path.version], (cursor, signal) => body(api.GET(
    '/pse/sessions/{session_id}/versions/{version}/not-taken',
    { params: { path, query: { class: 'undecided', limit: 100, cursor } }, signal })))
  const { undecided = 0, sentences: all = 0, decided_pct: share } = version.checks?.coverage ?? {}
  if (undecided === 0 && (sentences.items.length === 0 || first.current === version.version)) return null
  return (
    <section class='card stack' aria-label={say('spec.decide')}>
      <header class='row spread undecided'>
        <h2>{say('spec.decide.count', { count: undecided, all: String(all) })}</h2>
        <span class='muted'>{say('spec.decide.share', { share: String(share ?? 0) })}</span>
      </header>
      <p class='small muted'>{say('spec.decide.keys')}</p>
      <List of={sentences} empty={null}>{(items) => <Sentences {...written} of={items} />}</List>
    </section>
  )
}

import type { ComponentChildren } from 'preact'
import { sayKnown } from '../texts/say'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'plain'

const tones: Record<string, Tone> = {}
const toneWords: [Tone, string][] = [
  ['good', 'succeeded completed healthy active ok passed pass published ready approved success merged linked open ' +
    'done'],
  ['warn', 'awaiting_confirmation awaiting parked pending degraded queued partial stale unknown changed suggested ' +
    'changes_requested review draft warning medium in_review pass_with_warnings retrying awaiting_merge needs_input'],
  ['bad', 'failed fail error unhealthy missing denied failure timed_out rejected critical blocking disabled ' +
    'expired high rolled_back down alarm'],
  ['info', 'running in_progress deploying building dispatching updating cloning generating publishing live info ' +
    'scheduled in_use']
]
for (const [tone, words] of toneWords) for (const word of words.split(' ')) tones[word] = tone

/** @returns the tone of one of the API's states */
export const toneOf = (word: string): Tone => tones[word.toLowerCase()] ?? 'plain'

export const formatWord = (word: string): string => word.toLowerCase().replaceAll('_', ' ')

export const Badge = ({ tone = 'plain', children }: { tone?: Tone, children: ComponentChildren }) =>
  <span class={`badge ${tone}`}>{children}</span>

/** @returns one of the API's states in the language of the screen; one without a text stays as it came */
export const formatState = (state: string): string =>
  sayKnown(`state.${state.toLowerCase().replaceAll(' ', '_')}`) ?? formatWord(state)

/** A state of the API. */
export const StateBadge = ({ state }: { state: string | null | undefined }) =>
  state ? <Badge tone={toneOf(state)}>{formatState(state)}</Badge> : <span class='muted'>–</span>

import { Circle, CircleAlert, CircleCheck, LoaderCircle } from './icons'
import { say } from '../texts/say'

export interface Stage { name: string, state: 'done' | 'running' | 'failed' | 'next', note?: string | undefined }

const icons = { done: CircleCheck, running: LoaderCircle, failed: CircleAlert, next: Circle } as const
const words = { done: 'stage.done', running: 'stage.running', failed: 'stage.failed', next: 'stage.next' } as const

const One = ({ stage: { name, state, note } }: { stage: Stage }) => {
  const Icon = icons[state]
  return (
    <li class={state}>
      <Icon size={15} class={state === 'running' ? 'spin' : ''} aria-hidden='true' />
      <span>{name}<span class='unseen'>: {say(words[state])}</span>{note && <span class='muted'> {note}</span>}</span>
    </li>
  )
}

/** The stages of something that is under way, in their order. */
export const Pipeline = ({ label, stages }: { label: string, stages: readonly Stage[] }) => <ol
  class='plain pipeline' aria-label={label}
>{stages.map((stage) => <One key={stage.name} stage={stage} />)}
</ol>

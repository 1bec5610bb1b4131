import { Link } from 'wouter-preact'
import { answering, sandboxed } from '../../shell/session'
import { say } from '../../texts/say'

const starts = [
  'chat.guide.health', 'chat.guide.costs', 'chat.guide.errors', 'chat.guide.scale', 'chat.guide.drift',
  'chat.guide.build', 'chat.guide.spec', 'chat.guide.notes'
] as const

/** No model is connected: fixed conversations answer. */
export const isGuided = (): boolean => sandboxed.value.includes('anthropic')

interface Props { onSay: (text: string) => void, disabled?: boolean }

const SayButtons = ({ texts, onSay, disabled = false }: Props & { texts: readonly string[] }) => <div class='examples'>
  {texts.map((text) => <button type='button' key={text} disabled={disabled} onClick={() => onSay(text)}>{text}</button>)}
</div>

/** What can be said without a model. */
export const Starts = (props: Props) => <SayButtons texts={starts.map((key) => say(key))} {...props} />

const list = /\n\n((?:- `[^`\n]+`(?:\n|$))+)$/

/** @returns the answer, and what it offers to say next: the list of code at its end */
export const splitOffers = (text: string): { text: string, offers: string[] } => {
  const found = list.exec(text)
  if (!found?.[1]) return { text, offers: [] }
  return { text: text.slice(0, found.index), offers: [...found[1].matchAll(/`([^`]+)`/g)].map(([, offer = '']) => offer) }
}

/** What an answer offers to say next. */
export const Offers = ({ offers, onSay }: Props & { offers: readonly string[] }) =>
  <div role='group' aria-label={say('chat.offers')} class='offers'><SayButtons texts={offers} onSay={onSay} /></div>

/** The same beside a conversation, until a model is connected. */
export const TryIt = ({ onSay, disabled = false }: Props) => <details class='try-it'>
  <summary class='small'>{say('chat.tryIt')}</summary>
  <Starts onSay={onSay} disabled={disabled} />
</details>

/** Nothing answers: this installation has neither a model nor a sandbox of one. */
export const isSilent = (): boolean => answering.value?.answers === 'nothing'

/** Names what answers, and leads to more. */
export const Answering = () => <span class='small muted answering'>
  {isSilent() ? say('chat.noModel') : say('chat.guided')} <Link href='/settings/model'>{say('chat.connectModel')}</Link>
</span>

import { FirstSteps } from './first-steps'
import { say } from '../../texts/say'

const examples = [
  'chat.example.clusters',
  'chat.example.costs',
  'chat.example.scale',
  'chat.example.logs'
] as const

/** The empty conversation: examples of requests. */
export const Welcome = ({ onPick }: { onPick: (text: string) => void }) => <div class='welcome'>
  <h2>{say('chat.welcome')}</h2>
  <p class='muted'>{say('chat.welcome.words')}
  </p>
  <div class='examples'>
    {examples.map((key) =>
      <button type='button' key={key} onClick={() => onPick(say(key))}>{say(key)}</button>)}
  </div>
  <FirstSteps />
</div>

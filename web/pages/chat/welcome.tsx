import { FirstSteps } from './first-steps'
import { Starts, isGuided } from './guide'
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
  <p class='muted'>{isGuided() ? say('chat.welcome.guided') : say('chat.welcome.words')}</p>
  {isGuided()
    ? <Starts onSay={onPick} />
    : <div class='examples'>
      {examples.map((key) =>
        <button type='button' key={key} onClick={() => onPick(say(key))}>{say(key)}</button>)}
    </div>}
  <FirstSteps />
</div>

import { FirstSteps } from './first-steps'

const examples = [
  'Which clusters do I have?',
  'What did we spend this month, by service?',
  'Scale web to 4',
  'Show me the last errors of web'
]

/** The empty conversation: examples of requests. */
export const Welcome = ({ onPick }: { onPick: (text: string) => void }) => <div class='welcome'>
  <h2>What do you want to do?</h2>
  <p class='muted'>The assistant reads your clouds, services, costs, builds and repositories by itself.
    Before each change it shows you exactly what would change, and you decide.
  </p>
  <div class='examples'>
    {examples.map((text) => <button type='button' key={text} onClick={() => onPick(text)}>{text}</button>)}
  </div>
  <FirstSteps />
</div>

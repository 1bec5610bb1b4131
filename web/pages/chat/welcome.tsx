const examples = [
  'Which clusters do I have?',
  'What did we spend this month, by service?',
  'Scale web to 4',
  'Show me the last errors of web'
]

/** The empty conversation: what can be asked. */
export const Welcome = ({ onAsk }: { onAsk: (text: string) => void }) => <div class='welcome'>
  <h2>What shall be done?</h2>
  <p class='muted'>The assistant looks at your clouds, services, costs, builds and repositories by itself.
    Before it changes anything you see exactly what would change, and decide.
  </p>
  <div class='examples'>
    {examples.map((text) => <button type='button' key={text} onClick={() => onAsk(text)}>{text}</button>)}
  </div>
</div>

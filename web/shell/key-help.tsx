import { Dialog } from '../parts/dialog'
import './palette.css'

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent)

const keys: [string[], string][] = [
  [[isMac ? '⌘' : 'Ctrl', 'K'], 'Go to a page, a setting or a chat'],
  [['?'], 'Show these keys'],
  [['Alt', 'A'], 'To the approval that waits in this chat'],
  [['A'], 'In an approval: approve'],
  [['R'], 'In an approval: reject'],
  [['E'], 'In an approval: edit'],
  [['C'], 'In an approval: request changes'],
  [['W'], 'In an approval: reject with a reason'],
  [['Enter'], 'In the message: send'],
  [['Shift', 'Enter'], 'In the message: a new line'],
  [['Esc'], 'Close a dialog or the menu']
]

/** The keys of the client; each also has a button. */
export default function KeyHelp ({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title='Keys' onClose={onClose}>
      <dl class='keys'>
        {keys.map(([parts, what]) => [
          <dt key={`${what} key`}>{parts.map((part) => <kbd key={part}>{part}</kbd>)}</dt>,
          <dd key={what}>{what}</dd>
        ])}
      </dl>
      <div class='actions'><button type='button' onClick={onClose}>Close</button></div>
    </Dialog>
  )
}

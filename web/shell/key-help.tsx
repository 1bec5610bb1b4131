import { Dialog } from '../parts/dialog'
import { say, type Key } from '../texts/say'
import './palette.css'

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent)

const keys: [string[], Key][] = [
  [[isMac ? '⌘' : 'Ctrl', 'K'], 'keys.palette'],
  [['?'], 'keys.help'],
  [['Alt', 'A'], 'keys.waiting'],
  [['A'], 'keys.approve'],
  [['R'], 'keys.reject'],
  [['E'], 'keys.edit'],
  [['C'], 'keys.changes'],
  [['W'], 'keys.reason'],
  [['Enter'], 'keys.send'],
  [['Shift', 'Enter'], 'keys.newLine'],
  [['Esc'], 'keys.escape']
]

/** The keys of the client; each also has a button. */
export default function KeyHelp ({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={say('keys.title')} onClose={onClose}>
      <dl class='keys'>
        {keys.map(([parts, what]) => [
          <dt key={`${what} key`}>{parts.map((part) => <kbd key={part}>{part}</kbd>)}</dt>,
          <dd key={what}>{say(what)}</dd>
        ])}
      </dl>
      <div class='actions'><button type='button' onClick={onClose}>{say('keys.close')}</button></div>
    </Dialog>
  )
}

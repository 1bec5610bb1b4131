import { isRecord } from '../../validate/shape.js'
import type { Guide } from './guide.js'
import { readChanges, reportWrite } from './outcome.js'
import { propose, type Reply, type Steps } from './steps.js'
import { plain, text } from './texts.js'

const longestTitle = 80

/** Write a spec from a text: the next message is that text, whatever it says. */
export function * askForText ({ say }: Guide): Steps {
  return {
    text: say('Paste the text as your next message: notes, a ticket, an email. It becomes the input of a new spec, unchanged.',
      'Füge den Text als nächste Nachricht ein: Notizen, ein Ticket, eine E-Mail. Er wird unverändert die Eingabe einer neuen Spec.')
  }
}

const makeTitle = (message: string): string => {
  const line = message.split('\n').map((one) => one.replace(/^[#*\-\s]+/, '').trim()).find(Boolean) ?? 'Spec'
  return line.length <= longestTitle ? line : `${line.slice(0, longestTitle).replace(/\s+\S*$/, '')}…`
}

/** The pasted text itself. */
export function * createSpec (guide: Guide, message: string): Steps {
  const { say } = guide
  const title = makeTitle(message)
  const inputs = [{ kind: 'text', label: say('Pasted text', 'Eingefügter Text'), text: message }]
  const call = yield * propose('createSpecSession', { title, inputs },
    say(`create the spec **${plain(title)}** from your text`, `aus deinem Text die Spec **${plain(title)}** anlegen`))
  if (readChanges(call) !== undefined) {
    return {
      text: say('Nothing was created. Without a model I cannot change it for you: use Edit on the card, or start again.',
        'Nichts wurde angelegt. Ohne Modell kann ich es nicht für dich ändern: Nimm „Bearbeiten“ auf der Karte, oder fang neu an.'),
      next: [guide.button('spec')]
    } satisfies Reply
  }
  const id = isRecord(call.data) ? text(call.data.session_id) || text(call.data.id) : ''
  const isMade = !call.isError && id !== ''
  return {
    text: isMade
      ? `${say('The spec is created.', 'Die Spec ist angelegt.')} [${plain(title)}](/specs/${id})`
      : reportWrite(say, call),
    next: isMade ? [] : [guide.button('spec')]
  } satisfies Reply
}

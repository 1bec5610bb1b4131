import { plain } from '../render.js'
import { phrase } from '../speech/index.js'
import { want, type Skill, type Steps } from './skill.js'

const verbs = 'create|write|draft|start|begin|make|add|need|want|generate|new'
const subjects = '(?:(?:for|about|on|of|to|:)\\s*(.*))?$'
const asks = new RegExp(`\\b(?:${verbs})\\b[^:]{0,30}?\\bspec(?:ification)?\\b\\s*${subjects}`, 'is')

/** A subject as a title: "the password reset." is "Password reset". */
const titleOf = (subject: string): string => {
  const bare = subject.replace(/^(the|a|an|our|my)\s+/i, '').replace(/[\s.!?]+$/, '').trim()
  return bare.charAt(0).toUpperCase() + bare.slice(1, 200)
}

function * begin (message: string, subject: string): Steps {
  const title = titleOf(subject)
  if (title === '') return phrase`What shall the spec be about?`
  const inputs = [{ kind: 'text', label: 'What was asked for', text: message }]
  yield [{
    ...want('createSpecSession', { title, inputs }, 'create spec session'),
    plan: phrase`start the spec **${plain(title)}**`
  }]
  return ''
}

/** "Create a spec for password reset"; a title in quotes, or other settings, are read by the tool's schema. */
export const specs: Skill = (message) => {
  const [found, subject = ''] = asks.exec(message) ?? []
  return found === undefined || /[=~{"“]/.test(message) ? undefined : begin(message, subject)
}

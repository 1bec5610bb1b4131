import { phrase } from '../speech/index.js'
import { examplesIn } from './examples.js'
import type { Skill, Steps } from './skill.js'

const asks = /^\W*(?:please |can you |could you )?(delete|remove|change|update|create|add|rename|scale)(?: (?:everything|all|it all|something|anything|things?|stuff))?\W*$/i

const examples: Record<string, string> = {
  create: 'create a project called Atlas',
  add: 'create a project called Atlas',
  delete: 'delete the project Atlas',
  remove: 'delete the project Atlas'
}

function * offer (): Steps {
  return `${phrase`Try one of these:`}\n\n${examplesIn().map((one) => `- ${one}`).join('\n')}`
}

function * question (verb: string): Steps {
  return `What shall I ${verb}? I change one thing at a time, such as "${examples[verb] ?? 'scale web to 4'}".`
}

const asksAll = /^\W*(?:please )?(?:list|show|show me|give me|tell me) (?:everything|all|anything|all of it)\W*$/i

/** "Delete everything": what is to be changed has to be named. */
export const vague: Skill = (message) => {
  if (asksAll.test(message)) return offer()
  const verb = asks.exec(message)?.[1]?.toLowerCase()
  return verb === undefined ? undefined : question(verb)
}

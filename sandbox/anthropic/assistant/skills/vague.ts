import type { Skill, Steps } from './skill.js'

const asks = /^\W*(?:please |can you |could you )?(delete|remove|change|update|create|add|rename|scale)(?: (?:everything|all|it all|something|anything|things?|stuff))?\W*$/i

const examples: Record<string, string> = {
  create: 'create a project called Atlas',
  add: 'create a project called Atlas',
  delete: 'delete the project Atlas',
  remove: 'delete the project Atlas'
}

function * question (verb: string): Steps {
  return `What shall I ${verb}? I change one thing at a time, such as "${examples[verb] ?? 'scale web to 4'}".`
}

/** "Delete everything": what is to be changed has to be named. */
export const vague: Skill = (message) => {
  const verb = asks.exec(message)?.[1]?.toLowerCase()
  return verb === undefined ? undefined : question(verb)
}

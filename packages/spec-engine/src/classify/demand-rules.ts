import { wordsOf } from '../engine/words.js'
import { roleOf, type Role } from 'steward-document-reader/document'
import { commandsSystem, isImperative, isName } from './imperatives.js'
import { isAboutPeople } from './people.js'
import { arrow, isSpokenNeed } from './speech.js'
import { isStepOfPerson, namesPart, statedDemand, statesBound } from './stated-rules.js'
import { aside, type ClassRule, type SentenceClass, type Subject, type Verdict } from './verdict.js'

/** Lists there are not of what is built. */
const unopened = new Set<Role | undefined>(['risks', 'success', 'assumptions', 'questions', 'rollout', 'non_goals'])
/** Sections whose sentences demand also with can, may and will. */
const weakRoles = new Set<Role | undefined>([
  'requirements', 'stories', 'interfaces', 'entities', 'edge_cases', 'acceptance'
])
/** Sections in which "X will Y" says what shall be built. */
const plans = new Set<Role | undefined>(['design', 'decisions'])
/** Lists whose items demand without a modal verb. */
const listed = new Set<Role | undefined>(['requirements', 'acceptance'])

/** Says how things will turn out, or what a text will do: nobody builds that. */
const foretold = /^(?: also| then| likely| most likely| probably| still)? (?:change|differ|vary|depend|behave the same|stay\b|remain|work as|have no effect|help|make it (?:easier|harder)|be (?:(?:further )?(?:observed|anal[yz]s?ed|investigated|evaluated|benchmarked|revisited|reviewed)|used to answer|different|the same|no\b|likely|covered|documented|described|discussed|explained|addressed|a (?:challenge|problem)|good|hard|easy))/i
/** The text's own plan, not the product's. */
const byPlanner = /\b(?:alpha|beta) (?:period|phase|release)\b|^(?:in the )?long(?:er)? (?:term|run),|^(?:note,? )?(?:what|how|a separate|another|the next|future|this|these)\b|(?<!\bpart of this )\b(?:kep|rfc|pep|adr|proposal|pull request|documentation)s?\b[^,]{0,60}$/i

/** Before the verb: "When it is checked whether pods will fit", "this means that it will restart", "as it is meant". */
const embedded = /\b(?:whether|why|how) [^,]{1,60}$|\b(?:this|which) (?:means|implies|indicates)\b|\bexamples?\b|^as it(?:['’]s| is)\b/i
/** "Since the doors will be changed, it is within scope": the reason stands first, and has the verb. */
const reasoned = /^(?:since|because|as)\b[^,]{1,200}(?:, and [^,]{1,200})?\b(?:will|won['’]t)\b[^,]{1,200}, (?:it|this|that|we)\b/i
/** "Not only will they", "may or may not", "may even want": nothing is asked for. */
const idle = /^not only\b|\b(?:may or may not|may (?:even |also |still )?(?:want|lead to|result in|benefit|have|be necessary|not require))\b/i
/** "The site will let its members:" opens the list of what is built, wherever it stands. */
const opens = /\b(?:will|permettra|permettront|permitirá|permitirán|offrira|ofrecerá)\b[^.:]{0,80}:$/i
const offers = /\b(?:allow|enable|let|permit|support|provide|offer|include|be able to|permettra|permettront|permitirá|permitirán|offrira|ofrecerá)\b/i
/** "A task is the action that the runner will execute" explains. */
const relates = /\bis (?:an?|the|any) [^,.]{1,60}\b(?:which|that|who)\b[^,]{0,60}$/i
const harmless = /\b(?:this|that|it) (?:is|will be) (?:not a (?:problem|concern)|fine|ok(?:ay)?|acceptable|expected)\b/i

const past = /\b(?:was|were|had|did)\b/i
const clause = /\b(?:after|when|if|that|which|who|until|before|since|because|unless|while|once)\b/i

/** Whether the main clause is in the past: "it ends after the book was returned" is not. */
const isPast = (text: string): boolean => past.test(text.split(clause)[0] ?? '')
const decided = /^(?:decision|decided|resolution|resolved|agreed|beschluss|beschlossen|entschieden|décision|décidé|decisión)\s?:|\b(?:it was|we|all|everyone) (?:agreed|decided)\b/i
/** How a thread decides: "Let's set this to 15 minutes", "We'll go with 22 seconds". */
const settled = /\b(?:(?:let['’]s|we['’]ll|we will|i['’]ll|i will) (?:go with|start with|stick (?:with|to)|stay (?:with|at)|settle on|set|make|use|keep|cap|limit|bump|raise|lower|increase|reduce|change|update)|(?:i['’]m|i am|we['’]re|we are) going (?:with|to (?:go with|settle on|set|make|use|bump|raise|lower|increase|reduce|change|update)))\b[^?]{0,300}\d/i
/** "We decided on an alternative that …" says that there was a decision; what follows says which. */
const vague = /\bdecided (?:on|to (?:use|take|go with)) (?:an? (?:alternative|different|other)|another)(?: (?:approach|option|solution|way|design))?(?= that\b|,|\.?$)/i
/** Explains the item before it. */
const explains = /^(?:this|these)\b[^.,]{0,40}?\b(?:is|are) (?:\w{1,20}ly )?(?:related|due|caused|because|notable|most notable)\b/i
const needed = /^(?:(?:and |but )?(?:we|they) need (?!to\b)|\p{Lu}[\p{L} -]{1,60}? needs? (?:an? |the )|\S+ \S+ requires? )/iu

const classOf = (negative: boolean, level: string): SentenceClass =>
  negative ? 'prohibition' : level === 'MAY' ? 'permission' : 'demand'

const demand = ({ strong, all, capitals }: Subject, why: string): Verdict => {
  const first = strong[0] ?? all[0]
  const optional = capitals[0] !== undefined && /MAY|OPTIONAL/.test(capitals[0])
  const level = optional ? 'MAY' : first?.level ?? 'MUST'
  return { sense: 'normative', class: classOf(first?.negative ?? false, level), why }
}

const byKeyword: ClassRule = (subject) => {
  const { capitals, strong } = subject
  if (capitals[0] !== undefined) return demand(subject, `It says ${capitals[0]}`)
  const [first] = strong
  return first ? demand(subject, `It says “${first.word}”`) : undefined
}

const product = /\b(?:system|app|application|platform|website|site|service|product|software|page|screen)\b/i

/** Beside stories, "users can" says what the product allows, and "memory can" a fact of their world. */
const isOfProduct = (before: string): boolean => isAboutPeople(before) || product.test(before)

/** An item below one that demands, in the same list. */
const isAmongDemands = ({ role, before, sentence: { block, headings } }: Subject): boolean =>
  (role === undefined || plans.has(role)) && block.kind === 'item' && before?.sense === 'normative' &&
  before.block.kind === 'item' && before.block.indent === block.indent && before.headings === headings

/** can, may and will demand where requirements stand, and not of people. */
const byWeakVerb: ClassRule = (subject) => {
  const { role, all, text, isStrict } = subject
  if (isStrict) return undefined
  const [first] = all
  if (!first || /^could$/i.test(first.word)) return undefined
  if (idle.test(text) || relates.test(text.slice(0, first.start))) return undefined
  if (opens.test(text) && offers.test(text) && !unopened.has(role)) {
    return demand(subject, `It says “${first.word}” above a list`)
  }
  if (role === 'stories' && !isOfProduct(text.slice(0, first.start))) return undefined
  if (weakRoles.has(role)) return demand(subject, `It says “${first.word}” among requirements`)
  if (isAmongDemands(subject) && !isAboutPeople(text.slice(0, first.start))) {
    return demand(subject, `It says “${first.word}” in a list of demands`)
  }
  const isPlan = plans.has(role) && /^(?:will|won't|will not)$/i.test(first.word) &&
    !foretold.test(text.slice(first.end)) && !byPlanner.test(text.slice(0, first.start)) &&
    !embedded.test(text.slice(0, first.start)) && !reasoned.test(text) && !harmless.test(text)
  return isPlan && !isAboutPeople(text.slice(0, first.start)) && !/^(?:this|that|it|there|users?)\b/i.test(text)
    ? demand(subject, `It says “${first.word}” of what is planned`)
    : undefined
}

/** "The secret is long. This may slow attacks down.": what goes on in a cell about its demand. */
const explainsCell = ({ text, all, strong, before, sentence: { block } }: Subject): boolean =>
  before?.sense === 'normative' && before.block === block && strong.length === 0 &&
  (/^(?:this|these|such|note)\b/i.test(text) || /^(?:may|can|could)$/i.test(all[0]?.word ?? ''))

/** "Metric name: queue_wait_seconds" fills a form in. */
const value = /^[\p{L} ]{3,40}: \S+$/u

/** "EU hosting" bounds the product, where "Fast search" only names an idea. */
const bounds = /\b(?:constraints?|randbedingungen|contraintes|restricciones)\b/i
const expected = /\b(?:expected|desired) (?:behaviou?r|results?|outcomes?)\b|\bsolution you(?:['’]d| would)? (?:like|want)\b/i

const titled = /\b(?:requirements? (?:document|specifications?)|prd|srs)\b/i
const proposes = /^(?:\d[\d.]* )?(?:proposed (?:changes?|solution)|proposal|recommendations?|empfehlungen|recommandations|recomendaciones|vorschlag|proposition|propuesta)\b/i

/** Below "Product Requirements Document", a section such as "Target users" is none of requirements. */
const isOnlyTitled = ([title = '', ...below]: readonly string[]): boolean =>
  below.length > 0 && titled.test(title) && roleOf(below) === undefined

const byProposal: ClassRule = (subject) => {
  const { role, sentence: { block, cell, headings }, text, language } = subject
  const isProposed = role === 'design' && proposes.test(headings.at(-1) ?? '') && block.kind === 'item' && !cell
  if (!isProposed || wordsOf(text).length < 3 || isPast(text) || subject.isStrict) return undefined
  return isImperative(text, language)
    ? demand(subject, 'It says in the imperative what is proposed')
    : aside('unclear', 'It stands in a list of what is proposed, and demands nothing')
}

const byLocation: ClassRule = (subject) => {
  const { role, sentence: { block, cell, headings, sourceId }, text, language } = subject
  const length = wordsOf(text).length
  if (cell?.role === 'text' && explainsCell(subject)) return aside('rationale', 'It explains the demand of its cell')
  if (cell?.role === 'text' && length > 1) return demand(subject, 'It stands in the column of the requirements')
  if (cell?.role === 'accepted' && length > 1) return demand(subject, 'Its row is accepted by it')
  // A file of values whose columns have no known names is not passed over in silence.
  if (cell && block.row?.isDoubled && !cell.isTable && !cell.isHeader && length > 3) {
    return aside('unclear', 'No column of its table is known as one of requirements')
  }
  if (cell || isPast(text) || subject.isStrict) return undefined
  if (/^\S+(?: \S+){0,3} means\b/i.test(text) || explains.test(text)) return undefined
  // "Dark mode", alone in its item, is a feature.
  const least = block.kind === 'item' && !text.endsWith(':') ? 2 : 3
  const isNamed = sourceId !== undefined && block.kind !== 'heading'
  const isListed = (block.kind === 'item' || role === 'acceptance' || isNamed) && length >= least && !value.test(text)
  const isCommand = block.kind === 'item' && length > 1 && isImperative(text, language)
  const isBare = block.kind === 'item' && !isNamed && !bounds.test(headings.at(-1) ?? '') && !/[:：]$/.test(text) &&
    !value.test(text)
  if (listed.has(role) && isBare && isName(text, language)) {
    return aside('unclear', 'It names a thing, and no verb says what is demanded of it')
  }
  if (isBare && listed.has(role) && namesPart(text)) return aside('unclear', 'It names a part of a document')
  if (role === 'requirements' && (isCommand || (length > 2 && commandsSystem(text)))) {
    return demand(subject, 'It says in the imperative what is demanded')
  }
  if (listed.has(role) && isListed && isOnlyTitled(headings) && !isNamed && !isCommand) {
    return aside('unclear', 'Only the title of the document says that requirements stand here')
  }
  if (listed.has(role) && isListed) return demand(subject, 'It stands in a list of requirements')
  if (role === 'requirements' && length > 4 && (needed.test(text) || /^(?:if|when|while|whenever) /i.test(text))) {
    return demand(subject, 'It says what is needed')
  }
  if (role === 'requirements' && length > 4 && expected.test(headings.at(-1) ?? '')) {
    return demand(subject, 'It says what is expected')
  }
  const stated = role === 'requirements' && block.kind === 'paragraph' && length > 3 ? statedDemand(subject) : undefined
  if (stated !== undefined) return demand(subject, stated)
  return role === 'requirements' && block.kind === 'paragraph' && length > 2 && text.endsWith('.')
    ? aside('unclear', 'It states something among requirements, and demands nothing')
    : undefined
}

/** The steps of a use case: what the product does in them is demanded. */
const byFlow: ClassRule = (subject) => {
  const { role, text, actors, sentence: { block, cell } } = subject
  if (role !== 'flow' || block.kind === 'heading' || wordsOf(text).length < 3 || isPast(text)) return undefined
  if (text.endsWith(':') || (cell && cell.first === text)) return undefined
  return isStepOfPerson(text, actors)
    ? aside('unclear', 'It says what a person does in a use case')
    : demand(subject, 'It says what the product does in a use case')
}

/** "-> we make the address optional" decides; "-> Ben asks legal" is a person's task. */
const cameOut = /^(?:we (?:make|will|use|keep|drop|add|remove|show|hide|allow|limit|send|store|go with|want)|the|all|no|only|never|wir (?:machen|nehmen|lassen|zeigen|verwenden)|alle|keine?|nur) /i

const wasDecided = 'It was decided'

const byDecision: ClassRule = (subject) => {
  const { role, text, sentence: { block } } = subject
  if (isSpokenNeed(text)) return demand(subject, 'Its speaker needs it')
  if (arrow.test(text) && wordsOf(text).length > 3 && !text.endsWith('?')) {
    return cameOut.test(text.replace(arrow, ''))
      ? demand(subject, 'It came out of the discussion')
      : aside('unclear', 'It came out of the discussion, and nothing says that it is demanded')
  }
  const isDecided = (decided.test(text) && !vague.test(text)) || (block.comment !== undefined && settled.test(text))
  if (isDecided && !text.endsWith('?') && wordsOf(text).length > 4) return demand(subject, wasDecided)
  // "Decision: we send links. They expire after 15 minutes."
  const goesOn = subject.before?.why === wasDecided && subject.before.block === block && !isPast(text)
  if (goesOn && (subject.all.length > 0 || statesBound(subject))) return demand(subject, wasDecided)
  if (role !== 'decisions' || isPast(text) || /\boptions?\b/i.test(text)) return undefined
  return block.kind === 'item' && wordsOf(text).length > 3
    ? demand(subject, 'It stands among the decisions')
    : undefined
}

const unverified = new Set<Role | undefined>(
  ['problem', 'summary', 'goals', 'risks', 'rollout', 'considerations', 'tests']
)

/** "Verify that passwords are stored hashed" is how catalogues of controls demand. */
const byVerification: ClassRule = (subject) =>
  /^(?:verify|ensure) that \S/i.test(subject.text) && !unverified.has(subject.role) && !subject.isStrict
    ? demand(subject, 'It says what must be verified')
    : undefined

/** What makes a sentence a demand, in the order in which it is tried. */
export const normativeRules: readonly ClassRule[] =
  [byKeyword, byFlow, byWeakVerb, byDecision, byProposal, byLocation, byVerification]

import { isCondition } from './normative.js'
import { isAboutPeople } from './people.js'
import { aside, type ClassRule, type Subject } from './verdict.js'

const keywordNote = /\bkey ?words\b|\b(?:RFC ?2119|BCP ?14)\b/i
const aboutDocument = /^(?:note:? )?(?:no part of |errors in )?(?:this|the present|these) (?:document|memo|page|issue|pull request|template|internet-drafts?|section|list)s?\b|^internet-drafts\b|\b(?:revised bsd license|code of conduct|the cla|contributor license)\b|^(?:no part|errors) (?:of|in) this document\b/i
const confessed = /^i (?:(?:have|had) (?:searched|read|checked|verified|agreed|looked)|could(?:n['’]t| not) find)\b/i
const example = /^(?:(?:note:? )?for (?:example|instance)|e\.g\.|example:|zum beispiel|z\. ?b\.|beispiel:|par exemple|por ejemplo)\b/i
const reported = /\b(?:said|says|asked|thinks?|thought|suggest(?:s|ed)|report(?:s|ed)? that|complain(?:s|ed)|wrote|told us|argued|answered|wondered|believes?|felt|feels)\b/i
const past = /\b(?:(?<!\b(?:be|is|are|been|being|was|were|get|gets) (?:also |only |then |not |never )?)used to|earlier draft|previous(?:ly)?|formerly|in the past|last year|was:|were removed|was removed|had to|no longer wanted)\b/i
const hypothetical = /\b(?:would|could|might) (?:also |still |then |have |not )?(?:have|need|must|be required|be forced|require)\b|\bwould need\b/i
const today = /\b(?:today|at present|currently|as of now|nowadays|right now|these days|so far|heute|derzeit|aujourd'hui|actuellement|actualmente|hoy)\b/i
const replaced = /^(?:the|our|its) (?:present|existing|old|current|legacy) \p{L}+/iu
const someday = /\b(?:some ?day|(?<!\b(?:within|after|in|for|than|least|most|every|each|hours) )one day(?! (?:of|prior|before|after|in|for))|maybe|perhaps|vielleicht|peut-être|quizás)\b/i
/** "We might represent it so", "it would seem cleaner": a writer thinks aloud. */
const pondered = /\b(?:we|one|you) (?:might|could)\b|\b(?:we|one|you) (?:can|may)(?: \w+ly| also| then| now| therefore)? (?:see|observe|conclude|assume|expect|imagine|think|say|note|notice|guess)\b|^it(?: would| may| might|'s| is) (?:seem|be necessary|unclear|not clear|be (?:nice|good|helpful|cleaner))\b/i
/** An expectation, not a demand: "the impact should be negligible". */
/** "It would be helpful to know", "the endpoint may also need to": neither is settled. */
const hoped = /\b(?:it|that|this|which|but [^,.]{3,60}) would (?:also )?be (?:nice|good|helpful|useful|convenient|great)\b|\b(?:may|might)(?: also| well| still| even)? need to\b/i
const expected = /\bmust be (?:my|your|our) (?:fault|mistake|error)\b|\bshould (?:also |only |not )?be (?:(?:fairly |relatively |quite |rather )(?:simple|easy|small|cheap|rare)|negligible|minimal|minor|trivial|rare|straightforward|obvious|noted|clear from|an? (?:major|big|real|serious) (?:problem|issue|inconvenience|concern))\b/i
/** Work on the change, not on the product. */
const workOn = /\b(?:needs?|ha(?:s|ve)) to be (?:\w+ly )?(?:tested|reviewed|discussed|investigated|researched|decided|clarified|explored)\b/i
/** "This needs to be adjusted: https://…" leads to an issue that says what. */
const tracked = /\b(?:needs?|ha(?:s|ve)) to be (?:adjusted|changed|fixed|addressed|resolved|revisited|updated)(?: \w{1,20}){0,3}: ?https?:\/\/\S+$/i
/** "We should discuss this": what a meeting has to do. */
const meeting = /\b(?:we|i) (?:should|must|need to|have to) (?:also |really |probably |first )?(?:agree|answer|discuss|decide|talk|think|ask|consider|look (?:at|into)|revisit|clarify|find out)\b|^not saying\b/i
const noneKnown = /^(?:n\/?a\b|it(?:['’]s| is) not an? (?:\w+ ){0,2}(?:feature|problem|issue)\b)|^(?:none|nothing)(?: that (?:i|we) (?:can|could|know)\b|[.,]?$)/i
/** "The share that should be kept will change" foretells. */
const foretells = /^[^,;]{1,200}\bwill (?:change|differ|vary|depend)\b/i
/** A note in brackets without a subject: "labels (should be code)". */
const bracketed = /\((?:must|shall|should|needs? to|has to) [^()]{1,200}\)/gi
const rejection = /\b(?:rejected|not adopted|not accepted|not approved|declined|dropped|too expensive|was removed|were removed|not decided|no decision|not take (?:this|it) up|decided against|no longer wanted|abandoned|withdrawn|verworfen|abgelehnt|rejetée?|descartad[ao])\b/i
const reason = /^(?:because|since|so that|the reason (?:is|for|why|that)\b|(?:rationale|why|reason|justification|begründung):|weil|denn|parce que|porque)(?!\p{L})/iu
const explains = /^(?:this|that|it|which|coupled .{1,80})(?: also| \w{1,12})? (?:means?|implies|indicates|shows|explains)\b|\b(?:this|which) (?:means|implies|indicates)\b/i
/** A clause that only mentions what must be: the main clause demands nothing. */
const mentions = /\b(?:the (?:conditions?|requirements?|criteria|questions) (?:that |which )?(?:the |an? |each )?[\p{L}-]+ $|because|since|although|whereas|whether|what|how|why|(?:indicates?|shows?|says?|tells?) where|(?:\p{L}{2,20} )when (?!\S+(?: \S+){0,3} (?:is|are|was|were|has|have)\b)|as (?:it|they) (?:is|are) expected|indicates that|means that|shows that|says that|states that)\b/iu

/** @returns whether a sentence says of those before it that they were not taken */
export const isRejection = (text: string): boolean => rejection.test(text) &&
  text.split(' ').length <= (/^(?:this|that|it|both|these|those) (?:was|were|is|are)\b/i.test(text) ? 24 : 10)

const withoutQuotes = (text: string): string => text.replace(/[“"„«][^“”"„«»]{1,400}[”"“»]/g, ' ')

const keywords: ClassRule = ({ text, capitals }) =>
  keywordNote.test(text) && (capitals.length > 2 || /\bas in RFC|interpreted\b/i.test(text))
    ? aside('boilerplate', 'It explains the keywords')
    : undefined

/** "Scope - Must Have for launch" */
const ranks = /\b(?:must|should)[- ]haves?\b/i

const byBlock: ClassRule = ({ sentence: { block, text, isLink }, strong, capitals }) => {
  if (isLink) return aside('boilerplate', 'It is a link to a section')
  switch (block.kind) {
    case 'code': return aside('example', 'It stands in a block of code')
    case 'metadata': return aside('boilerplate', 'It stands in the document\'s metadata')
    case 'quote': return aside('quotation', 'It quotes somebody')
    case 'footnote': return capitals.length > 0 ? undefined : aside('rationale', 'It stands in a footnote')
    case 'heading':
      return strong.length === 0 || text.split(' ').length < 5 || ranks.test(text) || /\?$|^(?:what|how|why|when|who|where)\b/i.test(text)
        ? aside('boilerplate', 'It is a heading')
        : undefined
    default: return undefined
  }
}

/** Among instructions to bidders, what names the product is demanded of it all the same. */
const ofProduct = /\b(?:system|solution|software|product|application|platform|contractor|auftragnehmer|titulaire|prestataire|contratista|adjudicatario)\b/i

/** "Beta must be ready", in a plan; what the product must do is demanded there too. */
const ofPlan = /^(?:the |an? |all |our )?(?:alpha|beta|launch|release|go-?live|pilot|mvp|prototype|milestones?|contract|budget|staff|team|phase|iana)\b/i

const byRole: ClassRule = ({ role, capitals, text, strong, sentence: { sourceId } }) => {
  if (role === 'alternatives') return aside('alternative', 'Its section lists what was not chosen')
  if (role === 'history') return aside('history', 'Its section is the history')
  if (role === 'tests' && capitals.length === 0) return aside('example', 'Its section plans tests')
  if (role === 'examples' && capitals.length === 0) return aside('example', 'Its section gives an example')
  if (role === 'current' && capitals.length === 0) {
    return { sense: 'problem', class: 'rationale', why: 'Its section says how things are now' }
  }
  if (role === 'tender' && !ofProduct.test(text)) {
    return aside('other', 'It asks something of who bids, not of the product')
  }
  if (role === 'project' && capitals.length === 0 && (strong.length === 0 || ofPlan.test(text))) {
    return aside('other', 'Its section is about the project, not the product')
  }
  if (role === 'actions') return aside('task', 'It is a task of somebody, not of the product')
  // "[R4.1-1] The page should …" is a demand of its own, whatever heading was read above it.
  const isNamed = strong.length > 0 && /\p{L}/u.test(sourceId ?? '')
  if (role === 'boilerplate' && capitals.length === 0 && !isNamed) {
    return aside('boilerplate', 'Its section is about the document')
  }
  return /\b(?:did|done) not [^.]{0,60}\btake\b/.test(text) ? aside('alternative', 'It was not taken up') : undefined
}

/** Types of rows of a backlog that demand nothing unless their words do. */
const notDemanding = /^(?:bugs?|defects?|incidents?|epics?|tasks?|sub-?tasks?|chores?|spikes?|fehler|aufgabe|unteraufgabe|anomalie|tâche|tarea|error)$/i
const saysMore = /^(?:descriptions?|details?|notes?|beschreibung|anmerkung(?:en)?|hinweise?|descripción|détails?|remarques?|notas?)$/i

const byCell: ClassRule = ({ sentence: { cell }, strong, all, text, role }) => {
  if (!cell) return undefined
  if (cell.isHeader && text.split(' ').length < 5) return aside('boilerplate', 'It is the header of a table')
  const state = `${cell.type} ${cell.state} ${cell.priority}`.trim()
  if (cell.role === 'text') {
    if (text.split(' ').length < 3 && strong.length > 0) return aside('unclear', 'A cell without a verb says it')
    if (/\b(?:rejected|withdrawn|deleted|dropped|obsolete|removed|won't|out)\b/i.test(state)) {
      return aside('alternative', `Its row is marked “${state}”`)
    }
    if (strong.length === 0 && notDemanding.test(cell.type)) {
      return aside('rationale', `Its row is marked “${cell.type}”`)
    }
    return /\b(?:info(?:rmation)?|note|heading|comment|remark)\b/i.test(cell.type)
      ? aside('boilerplate', `Its row is marked “${cell.type}”`)
      : undefined
  }
  if (cell.role === 'accepted') return undefined
  // Demands beside a title, and "Gift cards cannot be returned" among the notes of a requirement.
  const isRefusal = role === 'requirements' && all[0]?.negative === true
  const hasSubject = (strong[0]?.start ?? 0) > 0
  if (saysMore.test(cell.column) && (hasSubject || isRefusal)) return undefined
  if (cell.isTable) return aside('rationale', `It stands in the column “${cell.column}”`)
  const first = strong[0]
  return first && text.slice(0, first.start).trim() === ''
    ? aside('unclear', 'A cell without a subject says it')
    : undefined
}

const byWords: ClassRule = ({ text, capitals, strong }) => {
  if (strong.length === 1 && strong[0]?.level === 'MAY') return aside('other', 'It says what is not necessary')
  if (aboutDocument.test(text) && capitals.length === 0) return aside('boilerplate', 'It is about the document')
  if (/^(?:pros?|cons?|advantages?|disadvantages?|drawbacks?):/i.test(text)) return aside('rationale', 'It weighs')
  if (workOn.test(text) && strong.length === 1 && capitals.length === 0) {
    return aside('task', 'It is work on the change')
  }
  if (meeting.test(text) && capitals.length === 0) return aside('task', 'It says what is to be discussed')
  if (tracked.test(text) && strong.length === 1 && capitals.length === 0) {
    return aside('task', 'It leads to where the change is tracked')
  }
  if (noneKnown.test(text)) return aside('answer', 'It answers that there is none')
  if (confessed.test(text)) return aside('boilerplate', 'It is a form\'s text')
  if (example.test(text) && capitals.length === 0) return aside('example', 'It gives an example')
  return undefined
}

/** "If it was previously in use, it must be restored" demands. */
const withoutCondition = (text: string): string => text.replace(/\b(?:if|when|where|unless) [^,]{1,300},/gi, ' ')

const byTime: ClassRule = ({ text, capitals, strong }) => {
  // "The product shall show previously stored results": what stands behind the verb is its matter.
  const firm = strong.find(({ word }) => /^(?:shall|must)\b/i.test(word))
  const scope = withoutCondition(firm ? text.slice(0, firm.start) : text)
  if (past.test(scope) && capitals.length === 0) return aside('history', 'It says what was')
  if (missed.test(text) && capitals.length === 0) return aside('history', 'It says what was missed')
  if (/^\(?was:/i.test(text)) return aside('history', 'It says what was')
  // "It should print what it would have changed" demands in its main clause.
  const main = text.slice(0, strong[0]?.end)
  if (hypothetical.test(main) && capitals.length === 0) return aside('rationale', 'It says what would be')
  if ((today.test(text) || replaced.test(text)) && capitals.length === 0 && !strong.some(({ word }) => /^(?:shall|muss)/i.test(word))) {
    return aside('rationale', 'It says how things are now')
  }
  if (expected.test(text) && capitals.length === 0) return aside('rationale', 'It says what is expected')
  if (pondered.test(text) && strong.length === 0) return aside('rationale', 'It thinks aloud')
  if (hoped.test(text) && capitals.length === 0) {
    return aside('unclear', 'It says what would be good, and demands nothing')
  }
  return someday.test(text) && capitals.length === 0 ? aside('unclear', 'It is not settled') : undefined
}

/** "On-call should have been paged" says of the past what was missed. */
const missed = /\b(?:should(?: not|n['’]t)? have (?:been|done|gone|known|seen)|(?:should(?: not|n['’]t)?|(?:nobody|no one|they|he|she|i|we) must) have \p{L}{2,20}ed (?:the|an?|it|this|that|them|us|him|her|to|at|in|on|by|for|when|before|after|out|up|off|so|earlier))\b/iu

/** A clause that names who says it; "Sven: guests must cancel" is the speaker's own demand. */
const bySpeech: ClassRule = ({ text, strong, all, capitals }) => {
  const [first] = strong.length > 0 ? strong : all
  const at = reported.exec(text)
  const isReport = at && first && (at.index < first.start || /, (?:he|she|they|one of)\b/i.test(text.slice(first.end)))
  if (isReport && capitals.length === 0) return aside('history', 'It reports what somebody said')
  const rest = withoutQuotes(text).replace(bracketed, ' ').toLowerCase()
  const isQuoted = strong.length > 0 && strong.every(({ word }) => !rest.includes(word.toLowerCase()))
  return isQuoted ? aside('quotation', 'It stands in quotation marks or brackets') : undefined
}

const byCondition: ClassRule = ({ text, language, strong }) => strong.length === 1 && isCondition(text, language)
  ? aside('rationale', 'It states a condition')
  : undefined

const struck: ClassRule = ({ sentence: { isStruck } }) =>
  isStruck ? aside('history', 'It is struck out') : undefined

/** "Since init containers start in order, usage needs to be summed": the reason stands before a demand. */
const mainAfterReason = /^since [^,]{1,300}, (?:\S+ ){1,8}?(?:must|shall|should|needs? to|ha(?:s|ve) to)\b/i
/** What stands before the main clause. */
const aboveMain = /^(?:(?:also|thus|therefore|then|so),? )?(?:when|since) [^,]{1,300},/i
/** "Packages sometimes need to", "no changes are required": facts of the world, and what is not needed. */
const habit = /\b(?:sometimes|often|usually|typically|generally|frequently|already|commonly) $/i
const unneeded = /^(?:[^,]{1,80}, )?no [^,]{1,60} (?:is|are) required to\b/i
const explaining = new Set<Subject['role']>(['problem', 'summary', 'goals', 'risks', 'rollout'])
/** "The change you need to do", "users will likely need to": what people have to do, not the product. */
const duty = /\b(?:(?:you|they|people)(?: will| would)?|(?:users?|developers?|maintainers?|authors?|operators?)(?: of (?:\S+ ){1,5}?)? ?(?:will|would))(?: \w+){0,2} $/i

/** Under Background, "Managers must enter stock twice" is a fact, and "The system must delete records" a demand. */
const byPeople: ClassRule = ({ text, role, strong, capitals, sentence: { cell, headings } }) => {
  const [first] = strong
  if (!first || capitals.length > 0 || cell?.role === 'text') return undefined
  if (/^problems?\b/i.test(headings.at(-1) ?? '') && strong.every(({ word }) => /^(?:ha|need)/i.test(word))) {
    return { sense: 'problem', class: 'rationale', why: 'Its section says what the problem is' }
  }
  const isHabit = /^(?:ha(?:s|ve) to|needs? to)/i.test(first.word) && habit.test(text.slice(0, first.start))
  if (isHabit && role !== 'requirements') return aside('rationale', 'It says what is usual')
  if (unneeded.test(text)) return aside('other', 'It says what is not necessary')
  const isReason = reason.test(text) && !mainAfterReason.test(text)
  if (isReason || explains.test(text.slice(0, first.start))) return aside('rationale', 'It gives a reason')
  const isMain = strong.some(({ start }) =>
    !mentions.test(text.slice(text.lastIndexOf(';', start) + 1, start).replace(aboveMain, '').replace(/\([^()]*\)/g, ' ')))
  if (!isMain) return aside('rationale', 'A clause of it only mentions it')
  const isForetold = strong.every(({ start, end }) =>
    /\b(?:that|which) $/i.test(text.slice(0, start)) && foretells.test(text.slice(end)))
  if (isForetold) return aside('rationale', 'It foretells')
  const isPeople = isAboutPeople(text.slice(0, first.start))
  if (role === 'instructions' && /^(?:if not, )?you\b/i.test(text)) return aside('rationale', 'It says what people do')
  const isDuty = /^(?:ha(?:s|ve) to|needs? to)/i.test(first.word) &&
    (/^(?:we|you|i|they)\b/i.test(text) || duty.test(text.slice(0, first.start)))
  if (isDuty && role !== 'requirements' && role !== 'stories') return aside('rationale', 'It says what people do')
  const isPlain = role !== undefined && explaining.has(role) && /\bwill $/i.test(text.slice(0, first.start))
  if (isPlain) return { sense: 'problem', class: 'rationale', why: 'It says what follows' }
  if (!isPeople || /\bbe able to\b/i.test(text.slice(first.end, first.end + 40))) return undefined
  return role !== undefined && explaining.has(role)
    ? { sense: 'problem', class: 'rationale', why: 'It says what people have to do' }
    : undefined
}

/** "Unless we really need to.": nothing follows the verb. */
const breaksOff: ClassRule = ({ text, strong, all, capitals, language }) => {
  const last = strong.at(-1)
  if (language !== 'en' || !last || strong.length > 1 || all.length > 1 || capitals.length > 0) return undefined
  return /^\W*$/.test(text.slice(last.end)) && !/[:：]\s*$/.test(text)
    ? aside('unclear', 'Nothing follows its verb')
    : undefined
}

/** Why a sentence with a modal verb demands nothing, in the order in which they are tried. */
export const setAsideRules: readonly ClassRule[] =
  [keywords, byBlock, byCell, byRole, byWords, byTime, bySpeech, struck, byCondition, breaksOff, byPeople]

/** What a person wants, in the first person: "I'd like", "we need", "I must be able". */
export const firstPerson = /\b(?:i|we)(?:['’]d like| want| need| would like| can| wish| must be able| should be able| have to be able|(?:['’]m| am|['’]re| are) able| expect| don['’]t want)(?: (to))?\b/i

/** Stories in German, French and Spanish: "Als Kurier möchte ich …", "En tant que livreur, je veux …". */
export const foreignStory = /^(?:als (?:eine?r? )?\p{L}[^.]{0,120}? (?:möchte|will|brauche|benötige|kann|muss|wünsche|würde) ich(?=[ ,])|en tant qu(?:e |['’])[^,.]{1,80}, (?:je (?:veux|souhaite|voudrais|désire|peux|dois pouvoir)|j['’]aimerais|j['’]ai besoin)|como [^,.]{1,80}?,? (?:quiero|necesito|deseo|quisiera|puedo|debo poder|me gustaría))[ ,]/iu

const request = /(?<!\p{L})(?:(?:möchte|will|brauche|benötige|kann|muss) ich|wünsche ich(?: mir)?|würde ich(?: gerne?)?|je (?:veux|souhaite|voudrais|désire|peux|dois)|j['’]aimerais|j['’]ai besoin|quiero|necesito|deseo|quisiera|puedo|debo|me gustaría)(?=[ ,])/iu
const reason = /, um |,? (?:damit|sodass|afin (?:de|que|d['’])|para(?: que)?) /iu
const role = /^(?:als|en tant qu(?:e |['’])|como) ?/iu

const label = /^(?:user story|story|historia(?: de usuario)?|récit(?: utilisateur)?|us|hu)[ -]?\d{0,4} ?: /iu

/** Quotation marks and a label around a story, such as „Als Nutzer …“. */
export const withoutMarks = (text: string): string =>
  text.replace(label, '').replace(/^["“„«'\s]+/u, '').replace(/(?<!["”“»'\s.])["”“»'\s.]+$/u, '')

export interface StoryWords { role: string, want: string, soThat: string }

/** @returns the parts of a story in another language than English, else undefined */
export const foreignParts = (text: string): StoryWords | undefined => {
  const story = withoutMarks(text)
  const found = foreignStory.test(story) ? request.exec(story) : null
  if (!found) return undefined
  const rest = story.slice(found.index + found[0].length).replace(/^[ ,]+/, '')
  const cut = reason.exec(rest)
  return {
    role: story.slice(0, found.index).replace(role, '').replace(/(?<![\s,])[\s,]+$/u, ''),
    want: (cut ? rest.slice(0, cut.index) : rest).replace(/^(?:pouvoir|poder|de|d['’]) ?/i, ''),
    soThat: cut ? rest.slice(cut.index + cut[0].length) : ''
  }
}

/** "As an auditor, I …", "As the owner of a report, I …", "As admins, we …"; "As a result of this, we can see" is none. */
const inRole = /^as (?:an?|the|one of the) (?!(?:(?:direct|natural|final|first|last|minimum) )?(?:result|consequence|rule|reminder|matter|note|example|summary|whole|default|step)\b)|^as (?:\p{L}+ ){0,2}\p{L}+s, (?:i|we)\b|^in order to [^.]{3,200}?[,\s] ?as an? /iu

/** @returns whether a sentence is a user story */
export const isStory = (text: string): boolean => {
  const story = withoutMarks(text)
  return (inRole.test(story) && firstPerson.test(story)) || foreignStory.test(story)
}

const because = /,?(?<!\s)\s+(?:so(?: that)?|because)\s+/i
const purposeFirst = /^in order to (?<purpose>[^.]{3,200}?),?\s+(?<story>as an? .*)$/is
const tidy = (text: string): string => text.replace(/^[\s,:;-]+|(?<![\s,:;.])[\s,:;.]+$/g, '')

/** @returns the parts of "As a <role>, I want to <want> so that <reason>", in their own words */
export const storyParts = (text: string): StoryWords => {
  const story = withoutMarks(text)
  const foreign = foreignParts(story)
  if (foreign) return foreign
  const purpose = purposeFirst.exec(story)
  if (purpose?.groups) return { ...storyParts(purpose.groups.story ?? ''), soThat: purpose.groups.purpose ?? '' }
  const found = firstPerson.exec(story)
  const role = tidy(story.slice(0, found?.index ?? story.length).replace(/^as /i, ''))
  const rest = story.slice((found?.index ?? 0) + (found?.[0].length ?? 0))
  const cut = because.exec(rest)
  return { role, want: tidy(cut ? rest.slice(0, cut.index) : rest), soThat: cut ? tidy(rest.slice(cut.index + cut[0].length)) : '' }
}

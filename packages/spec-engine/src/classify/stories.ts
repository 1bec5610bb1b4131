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

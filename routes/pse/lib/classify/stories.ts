/** Stories in German, French and Spanish: "Als Kurier möchte ich …", "En tant que livreur, je veux …". */
export const foreignStory = /^(?:als (?:eine?r? )?\p{L}[^.]{0,120}? (?:möchte|will) ich(?=[ ,])|en tant qu(?:e |['’])[^,.]{1,80}, (?:je (?:veux|souhaite|voudrais)|j['’]aimerais)|como [^,.]{1,80}, (?:quiero|necesito|deseo))[ ,]/iu

const request = /\b(?:möchte ich|will ich|je veux|je souhaite|je voudrais|j['’]aimerais|quiero|necesito|deseo)(?=[ ,])/iu
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
    want: cut ? rest.slice(0, cut.index) : rest,
    soThat: cut ? rest.slice(cut.index + cut[0].length) : ''
  }
}

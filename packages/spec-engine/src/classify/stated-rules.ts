import type { Subject } from './verdict.js'

/** "at most 300 ms", "< 2 s", "höchstens 5": a statement with a bound can be met or missed. */
const bound = /(?:(?<!\p{L})(?:at (?:most|least)|(?:no|not) (?:more|less|fewer|longer|later|earlier) than|up to|within|below|under|(?:less|fewer|more|longer) than|(?:maximum|minimum)(?: of)?|(?:limited|restricted) to|max\.?|min\.?|höchstens|mindestens|maximal|minimal|innerhalb von|(?:weniger|mehr) als|bis zu|au (?:plus|moins)|moins de|jusqu['’]à|como (?:máximo|mínimo)|al menos|menos de|hasta)(?: \p{L}{1,12})? ?|[<>≤≥]=? ?)(?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|an?|half an|einer?|eines|zwei|drei|fünf|zehn|une?|deux|trois|una?|dos|tres) (?:second|minute|hour|day|week|month|year|working|sekunde|stunde|tag|woche|monat|jahr|heure|jour|semaine|mois|minuto|hora|día|semana|mes))/iu
const figures = /(?:p\d{2}|average|median)\b[^.]{0,80}\bis \d|\b(?:is|are|ist|sind|est|sont|es|son) \d+(?:[.,]\d+)? ?(?:%|ms|s|min|h|seconds?|minutes?|hours?|days?|KB|MB|GB)(?!\p{L})/iu
/** What only the product can be: "The system displays the total". */
const product = {
  en: /^(?:the|this|our) (?:system|application|app|platform|website|site|service|product|software|solution|tool|server) (?:also |then |always |never |automatically |only )?(?:shows|displays|sends|stores|saves|lets|allows|enables|supports|provides|offers|generates|calculates|computes|validates|checks|notifies|records|logs|keeps|rejects|prevents|creates|updates|deletes|encrypts|accepts|asks|exports|imports|warns|reminds|restores|hides)\b/i,
  de: /^(?:das|die|der) (?:system|anwendung|app|plattform|software|webseite|website|portal|produkt|programm) (?:zeigt|speichert|sendet|bietet|ermöglicht|erlaubt|verwaltet|erstellt|prüft|verschickt|unterstützt|berechnet|verhindert|protokolliert|warnt|erinnert|löscht)(?!\p{L})/iu,
  fr: /^(?:le |la |l['’]|notre |cette |ce )(?:système|application|plateforme|site|logiciel|outil|produit) (?:permet|propose|affiche|envoie|enregistre|comporte|offre|gère|génère|fournit|calcule|vérifie|conserve|empêche|avertit)(?!\p{L})/iu,
  es: /^(?:el|la) (?:sistema|aplicación|plataforma|app|sitio|software|herramienta|programa) (?:permite|muestra|envía|guarda|ofrece|genera|calcula|valida|registra|gestiona|almacena|notifica|impide|comprueba)(?!\p{L})/iu
} as const
/** "No plan is deleted without a confirmation", below Guardrails. */
const limits = /^(?:\d[\d.]* )?(?:guard ?rails?|constraints?|rules?|limits?|randbedingungen|grenzwerte|regeln|contraintes|règles|restricciones|reglas)\b/i
const refusal = /^(?:no |never |nothing |nobody |only |kein(?:e[nrms]?)? |niemand |nur |aucune? |jamais |ningun[ao]? |nunca |solo )/i
const points = /^(?:this|these|that|it|because|since|today|currently|in \d{4}|note|see|diese?[rs]?|cela|ceci|esto)\b/i
/** "Clusters with more than 5,000 nodes have not been tried": what is known so far. */
const tried = /\b(?:has|have|had)(?: not| never| already)? been\b/i

/** @returns why a statement among requirements can be demanded though it has no modal verb */
export const statedDemand = ({ text, language, sentence: { headings } }: Subject): string | undefined => {
  if (points.test(text) || tried.test(text) || text.endsWith('?')) return undefined
  if (bound.test(text) || figures.test(text)) return 'It states a bound among requirements'
  if (product[language].test(text)) return 'It states among requirements what the product does'
  const isLimit = refusal.test(text) || /\d/.test(text)
  return limits.test(headings.at(-1) ?? '') && isLimit ? 'It states a limit among limits' : undefined
}

/** "The account holder"; "The system asks the user" has another subject. */
const persons = /^(?:(?:the|an?|der|die|das|ein|eine|le|la|les|un|une|el|los|las|una) |l['’])?(?:\p{L}+ )?(?:user|customer|actor|person|admin(?:istrator)?|holder|member|visitor|guest|clerk|operator|manager|agent|employee|client|patient|student|teacher|driver|owner|nutzer(?:in)?|benutzer(?:in)?|anwender(?:in)?|kund(?:e|in)|akteur(?:in)?|mitarbeiter(?:in)?|utilisat(?:eur|rice)|client|acteur|usuari[oa]|cliente|actor|he|she|they|er|sie|il|elle|él|ella)s?(?!\p{L})/iu

/** @returns whether a step of a use case is what a person does; `actors` are those that the use case names */
export const isStepOfPerson = (text: string, actors: readonly string[]): boolean => {
  const words = text.toLowerCase().replace(/^(?:the|an?|der|die|das|le|la|el) /, '')
  return persons.test(text) || actors.some((actor) => words.startsWith(actor))
}

const wasSo = /\b(?:was|were|had|did|has been|have been)\b/i
const thinks = /^(?:we|i|they) (?:believe|think|hope|expect|assume|know|found|learned|chose|decided)\b/i

/** @returns whether a sentence says in the present how something is, of no earlier time and as no opinion */
export const statesFact = (text: string): boolean =>
  !points.test(text) && !tried.test(text) && !wasSo.test(text) && !thinks.test(text) && /[\p{L}\d)][.;]?$/u.test(text)

/** "`Retry-After` is always sent" is a rule of a design. */
const always = /(?<!\p{L})(?:always|never|immer|niemals|toujours|jamais|siempre|nunca)(?!\p{L})/iu
const planned: ReadonlySet<Subject['role']> = new Set<Subject['role']>(['design', 'interfaces'])

/** @returns whether a sentence bounds something, wherever it stands: "Max. 100k rows per export" */
export const statesBound = ({ text, role }: Pick<Subject, 'text' | 'role'>): boolean =>
  (bound.test(text) || (planned.has(role) && always.test(text))) && !points.test(text) && !tried.test(text)

/** "And please don't log people out": a person asks, and nobody has decided. */
const pleaseDo = /^(?:and |also |but |oh, )?(?:please|bitte|s['’]il vous plaît|por favor),? (?!(?:see|note|sign|find|refer|contact|let|review|read|check|send|reply|have a look|siehe|beachten)\b)\p{L}/iu

/** @returns whether a sentence asks for something in a message */
export const asksFor = (text: string): boolean => pleaseDo.test(text) && text.split(' ').length > 3

/** Parts of documents: "Table of contents overview" is nothing that a product does. */
const part = /\b(?:table of contents|contents|overview|introduction|executive summary|summary|background|glossary|appendix|references|bibliography|revision history|screenshots?|mock-?ups?|wireframes?|(?:use case|class|sequence|er|e-r|entity|flow|context|state|activity|deployment|architecture) diagrams?|timeline|milestones|org(?:anisation|anization)? chart|sign-?off|inhaltsverzeichnis|abbildungsverzeichnis|einleitung|anhang|quellen|table des matières|annexes?|bibliographie|índice|introducción|anexos?|bibliografía)$/i
/** "RESTRICCIÓN 1": the title of what follows it. */
const counted = /^\p{L}{3,20} \d{1,3}(?:\.\d{1,3})?$/u
const verbal = /(?<!\p{L})(?:is|are|has|have|shows?|displays?|of (?:each|all|every)|ist|sind|hat|zeigt|est|sont|es|son|\d+)(?!\p{L})/iu
const mostWords = 6

/** @returns whether an item names a part of a document, and not one of the product */
export const namesPart = (text: string): boolean => {
  const words = text.replace(/[.;:,]$/, '')
  return counted.test(words) || (words.split(' ').length <= mostWords && part.test(words) && !verbal.test(words))
}

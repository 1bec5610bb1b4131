import type { ReadLanguage } from './language.js'

/** What only a product does: "Let people schedule a report" says it of the system. */
const ofSystem = 'let|allow|enable|permit|prevent|show|display|support|send|notify|inform|warn|remind|store|' +
  'log|encrypt|generate|calculate|compute|hide|' +
  'highlight|reject|enforce|synchroni[sz]e|restore|remember|provide|offer|detect'
/** What people do with it as well: the words of the source stand. */
const ofAnybody = 'manage|create|edit|delete|remove|add|upload|download|view|import|export|share|schedule|' +
  'cancel|pay|print|filter|sort|search|track|' +
  'assign|approve|archive|validate|integrate|record|save|keep|list|update|change|reset|block'
/** "Support team", "Export formats": the verb is a noun. */
const noun = /^\S+ (?:team|desk|staff|hours|options?|formats?|settings|files?|functions?|page|tool|list|bar|plan)s?$/i

const system = new RegExp(`^(?:please )?(?:(?:do not|don['’]t|never) )?(?:${ofSystem})(?= )`, 'i')
const anybody = new RegExp(`^(?:${ofSystem}|${ofAnybody})(?= )`, 'i')
const lastInfinitive = /(?:^|\s)\p{Ll}{2,30}(?:en|ern|eln)[.;]?$/u
const firstInfinitive: Partial<Record<ReadLanguage, RegExp>> = {
  fr: /^(?:ne pas )?\p{L}{2,20}(?:er|ir|re|oir)(?!\p{L})/iu, es: /^(?:no )?\p{L}{2,20}[aei]r(?:se)?(?!\p{L})/iu
}

/** @returns whether a sentence asks the product for something in the imperative, such as "Show the total" */
export const commandsSystem = (text: string): boolean => system.test(text) && !noun.test(text)

/** @returns whether an item of a list begins (in German ends) with the verb of what is demanded */
export const isImperative = (text: string, language: ReadLanguage): boolean => language === 'en'
  ? anybody.test(text) && !noun.test(text)
  : language === 'de' ? lastInfinitive.test(text) : firstInfinitive[language]?.test(text) === true

/** An activity as a noun: "Gestion des utilisateurs", "Anbindung an die Kasse", "Búsqueda por nombre". */
const activity: Partial<Record<ReadLanguage, RegExp>> = {
  fr: /^(?:l['’]|la |le |les |une? )?(?:saisie|recherche|exports?|imports?|envoi|suivi|calcul|ajout|tri|accès|choix|mise|prise|\p{L}{2,30}(?:tion|sion|age|ment|ance))s?(?=[ :])/iu,
  de: /^(?:die |der |das |eine? )?(?:\p{L}{2,20} )?\p{L}*(?:ung|export|import|suche|anzeige|übersicht|ausgabe|eingabe|abfrage|versand|zugriff|druck)(?=[ :])|^\p{Lu}\p{Ll}{3,20}(?:en|ern|eln) (?:\p{Ll}+(?:er|es|en)|von|des|der) /iu,
  es: /^(?:la |el |los |las |una? )?(?:búsqueda|alta|baja|consulta|registro|envío|acceso|control|carga|\p{L}{2,30}(?:ción|sión|miento|aje))(?=[ :])/iu
}
const verb = /(?<!\p{L})(?:is|are|has|have|only|no|ist|sind|hat|haben|wird|werden|est|sont|a|ont|permet|es|son|tiene|tienen|permite)(?!\p{L})/iu
/** Words of an item that may be a mere name. */
const most = { en: 2, de: 4, fr: 4, es: 4 } as const

/** "PDF/A-3", "iOS 17", "containerd v1.5.6": the number is a part of the name, and bounds nothing. */
const namedByNumber = /^(?=\D{0,40}\d)(?!\d)(?:[\p{L}][\p{L}\d/._+#-]{0,30}|\(?\p{Lu}[\p{L}\d/._+-]{0,30}\)?)(?: (?:\(?(?:\p{Lu}|[a-z]{1,2}\d)[\p{L}\d/._+-]{0,30}\)?|v?\d{1,4}(?:\.[\dx]{1,4}){0,3}\+?)){0,2}$/u

/** @returns whether an item only names a thing, such as "Tableau de bord": nobody could say when it is met */
export const isName = (text: string, language: ReadLanguage): boolean => {
  const bare = text.replace(/[.;,]$/, '')
  // "HU1." numbers what stands below it.
  if (bare === text && namedByNumber.test(bare) && !isImperative(text, language)) return true
  const words = bare.split(/\s+/).length
  const says = verb.test(text) || /\d/.test(text) || isImperative(text, language)
  return words <= most[language] && !says && !(words > 2 && activity[language]?.test(text) === true)
}

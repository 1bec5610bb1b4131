import type { Language } from './speech/index.js'
import { isFiller, isVerb } from './words.js'

type Foreign = Exclude<Language, 'en'>

/**
 * What people ask about in other languages, as the English that the skills read; the first that fits counts.
 * A star stands for any end of a word; what has no English is left out.
 */
const glossary: Record<Foreign, string> = {
  de: `
    dieses jahr = this year; dieses jahres = this year; letzte[nms]? jahr* = last year; diese* quartal* = this quarter
    letzte* quartal* = last quarter; januar = January; februar = February; märz = March; april = April; mai = May
    juni = June; juli = July; august = August; september = September; oktober = October; november = November
    dezember = December; entwürfe* = drafts; nicht veröffentlicht = not published; veröffentlicht* = published
    herunter = down; runter = down; hoch = up; rauf = up; um eins = by one; um zwei = by two; gelöscht* = deleted
    lösche* = delete; pro = per; wo = where; arbeitsspeicher = memory; speicher = memory; stück = copies; auch = too
    deployt* = deployed; deploye* = deploy; bring* = deploy; ausliefer* = deploy; lieferst? = deploy; ja = yes
    nein = no; bitte = please; stattdessen = instead; nur = only; dasselbe = the same; das gleiche = the same
    nochmal = again; repositor(ys|ies) = repositories; verbunden = connected; das rückgängig = undo that
    was = what; wie viele? = how much; wie = how; welche cluster = which clusters; welch* = which; wer = who
    wann = when; warum = why; wieso = why
    zeig* mir = show me; zeig* = show; liste = list; gibt es = is there any; gib mir = give me; ich brauche = I need
    läuft alles = is everything ok; alles in ordnung = everything ok; alles gesund = everything healthy
    gesund = healthy; ausgefallen = down; kaputt = broken; laufen nicht = are down; läuft nicht = is down
    geht nicht = is down
    stör* = problems; problem* = problems; läuft = is running; laufen = are running; dienste* = services
    dienst = service; funktion* = functions; konten = accounts; konto = account; nach = by; kost* = cost
    ausgegeben = spent; ausgaben = costs; rechnung = bill; vergleich* = compare; gegenüber = versus; mit = with
    als = than; dem letzten monat = last month; den letzten monat = last month; letzte* monat* = last month
    diese* monat* = this month; letzte* woche = last week; diese* woche = this week; gestern = yesterday
    heute = today; tage* = days; letzte* = last; fehlgeschlagen* = failed; fehlschlug = failed; fehler* = errors
    protokoll* = logs; skalier* = scale; setz* = scale; erhöh* = scale; auf = to; instanzen = instances
    starte?(?=.{1,80} neu) = restart; rückgängig = undo; mache? = make; stopp* = stop; offen* = open
    gemergt* = merged; versionshinweise* = release notes; schreib* = write; erstell* = create
    spezifikation = spec; spezifikationen = specs
    über = about; für = for; projekte = projects; projekt* = project; namens = called; genannt = called
    inhalte* = content; hilf* = help
    danke* = thanks
    vielen dank = thanks; anfangen = start; haben = have; habe = have; hat = has; gekostet = cost; ihn = it
    zurückrollen = roll back; rolle? = roll; zurück = back
    doch lieber = rather; lieber = rather; doch = rather; seit = since; wir = we; uns = us; ich = I; die = the
    der = the; das = the; den = the; dem = the; eine?[nmrs]? = a; im = in; ist = is; sind = are; von = of
    des = of the
    aus = from; und = and; mir = me; du = you; kannst = can`,
  fr: `
    janvier = January; février = February; mars = March; avril = April; mai = May; juin = June; juillet = July
    août = August; septembre = September; octobre = October; novembre = November; décembre = December
    cette année = this year; année dernière = last year; ce trimestre = this quarter; brouillons = drafts
    publiés = published; aussi = too; seulement = only; oui = yes; non = no; mémoire = memory; où = where
    y a-t-il un problème = is there a problem
    s'il (te|vous) plaît = please; dernier trimestre = last quarter; a-t-on = have we; y a-t-il = are there
    est-ce que; qu'est-ce qui = what; qu'est-ce que = what; quel(s|le|les)? = which; combien = how much; qui = who
    quand = when; pourquoi = why; comment = how; que = what; montre(z|r)?[ -]moi = show me; montre(z|r)? = show
    liste* = list
    y a-t-il un problème = is there a problem; tout va bien = is everything ok; tout fonctionne = is everything ok
    en panne = down; hors service = down; tombé* = down; ne (marche|fonctionne)(nt)? pas = is down
    problème* = problems; tourne(nt)? = is running; fonction* = functions
    comptes = accounts; compte = account; coût* = cost; dépens* = spent; facture = bill; compar* = compare
    par rapport (au|à) = versus; mois dernier = last month; ce mois(-ci)? = this month
    semaine dernière = last week; cette semaine = this week; hier = yesterday; aujourd'hui = today
    jours = days; derni* = last; échou* = failed; échec = failed; a-t-il = has; erreurs* = errors; journaux = logs
    mets = scale; mettez = scale; passez? = scale; augmente* = scale; redémarr* = restart; relance* = restart
    annul* = undo; arrêt* = stop; ouvert* = open; fusionné* = merged; notes de (version|publication) = release notes
    rédige* = write; écri* = write; crée* = create; spécification = spec; dépôts = repositories
    projets = projects; projet = project
    nommée? = called
    contenus = content; merci* = thanks; déploiements = deployments; déploiement = deployment
    déplo* = deploy; à partir des = from; par = by; pour = for; sur = about; nous = we; avons-nous = have we
    avec = with; le = the; la = the; les = the; une? = a; de = of; du = of; des = of; au = to; à = to; sont = are
    est = is; ai-je = have I; j'ai = I have; ça = it; va = goes; tu = you; et = and`,
  es: `
    enero = January; febrero = February; marzo = March; abril = April; mayo = May; junio = June; julio = July
    agosto = August; septiembre = September; octubre = October; noviembre = November; diciembre = December
    este año = this year; año pasado = last year; este trimestre = this quarter; borradores = drafts
    publicados = published; también = too; solo = only; sí = yes; memoria = memory; dónde = where
    por favor = please; trimestre pasado = last quarter
    qué = what; cuál(es)? = which; cuánt* = how much; quién* = who; cuándo = when; por qué = why; cómo = how
    muéstra(me|nos)? = show; muestra = show; enséña* = show; lista = list; hay = is there any
    todo (está |va |funciona )?(bien|en orden|sano) = is everything ok; está todo bien = is everything ok
    funciona todo = is everything ok; algún = any; alguna = any; caíd* = down; no funciona* = is down; roto* = broken
    problema* = problems; servicios = services; servicio = service; funciones = functions; cuentas = accounts
    cuenta = account; cuest* = cost; cost(o|os|es|ó|aron) = cost; gast* = spent; factura = bill; compar* = compare
    mes pasado = last month; este mes = this month; semana pasada = last week; esta semana = this week
    ayer = yesterday; hoy = today; días = days; últim* = last; fall(a|ó|an|aron|os?) = failed; errores = errors
    registros = logs
    compilaci* = build; escalar? = scale; aumenta* = scale; pon = scale; sube = scale; reinici* = restart
    deshaz = undo; revierte = undo; par(a|ar) el servicio = stop the service; abiert* = open; fusionad* = merged
    notas de (la )?versión = release notes; escrib* = write; redactar? = write; crea = create; crear = create
    especificación = spec; repositorios = repositories; proyectos = projects; proyecto = project; llamad[oa] = called
    contenidos = content; gracias* = thanks
    despliegues = deployments; despliegue = deployment; despliega = deploy; por = by; para = for; sobre = about
    está = is; están = are; es = is; son = are; tiene* = has; tengo = have I; hemos = we have; en = in; con = with
    el = the; la = the; los = the; las = the; una? = a; de = of; del = of the; que = than; más = more; a = to
    y = and`,
  ja: `
    12月 = December; 11月 = November; 10月 = October; 9月 = September; 8月 = August; 7月 = July; 6月 = June
    5月 = in May; 4月 = April; 3月 = March; 2月 = February; 1月 = January; 今年 = this year; 去年 = last year
    クラスター* = which clusters; 下書き = drafts; はい = yes; もお願い.* = too; も$ = too; メモリ = memory
    すべて正常 = is everything healthy; 全部 = everything; 正常 = healthy; どの = which; なぜ = why; いくら = how much
    何が = what; サービス = service; 落ちて = down; 止まって = down; 壊れて = broken; 動いて = running
    問題 = problems; 費用 = cost; コスト = cost; 料金 = cost; 使いました = spent; 使った = spent; 比べ = compare
    比較 = compare; 先月 = last month; 今月 = this month; 先週 = last week; 今週 = this week; 昨日 = yesterday
    今日 = today; 最新 = latest; 最後 = last; エラー = errors; ログ = logs; ビルド = build; 失敗 = failed
    関数 = functions; 見せて = show; 表示 = show; 一覧 = list; 書いて = write; リリースノート = release notes
    マージされた = merged; プルリクエスト = pull requests; 開いている = open; リポジトリ = repositories
    プロジェクト = projects; 再起動 = restart; 元に戻 = undo; デプロイ = deploy; ありがとう* = thanks
    から = from; の = of`
}

interface Entry { form: RegExp, english: string }

const isJapanese = /[\u3040-\u30ff\u4e00-\u9fff]/u
/** What joins a name is no end of a word: the "la" of "la-poste" is none. */
const whole = (source: string): string => `(?<![\\p{L}\\p{N}_-])(?:${source})(?![\\p{L}\\p{N}_-])`

const entriesOf = (language: Foreign): Entry[] => glossary[language].split(/[;\n]/).map((entry) => entry.trim())
  .filter(Boolean).map((entry) => {
    const [foreign = '', english = ''] = entry.split(' = ')
    const source = foreign.replaceAll('*', '\\p{L}*')
    return { form: new RegExp(language === 'ja' ? source : whole(source), 'giu'), english }
  })

const entries = Object.entries(glossary).map(([language]) => language as Foreign) // The keys are the languages.
  .map((language) => ({ language, known: entriesOf(language) }))

/** Texts in quotes and assigned values stay as they are. */
const values = /"[^"]*"|“[^”]*”|„[^“]*“|`[^`]*`|\{.*\}|\S+[=~]\S*/gs
const openMark = '\uE000'
const closeMark = '\uE001'

/** Each phrase is put aside when it is read, so that English is not read a second time. */
function translate (text: string, known: Entry[]): { text: string, words: number } {
  const kept: string[] = []
  const keep = (value: string) => `${openMark}${kept.push(value) - 1}${closeMark}`
  let words = 0
  let rest = text.replace(values, keep)
  for (const { form, english } of known) {
    rest = rest.replace(form, (found) => {
      words += found.trim().split(/\s+/).length
      return ` ${keep(english)} `
    })
  }
  const restored = rest.replace(/\uE000(\d+)\uE001/g, (_, position) => kept[Number(position)] ?? '')
  return { text: restored.replace(/[^\S\n]+/g, ' ').trim(), words }
}

const englishWords = (message: string): number =>
  message.replace(values, ' ').split(/[^\p{L}']+/u).filter((word) => isFiller(word) || isVerb(word)).length

/** A message as the language reads it whose words it has most of; undefined = it has more of English. */
function readForeign (message: string): { language: Foreign, text: string } | undefined {
  const read = entries.filter(({ language }) => (language === 'ja') === isJapanese.test(message))
    .map(({ language, known }) => ({ language, ...translate(message, known) }))
    .toSorted((a, b) => b.words - a.words)
  const [best] = read
  if (!best || best.words === 0) return undefined
  return isJapanese.test(message) || best.words > englishWords(message) ? best : undefined
}

/** A message in English words, as far as the glossary goes; one that has more of English stays as it is. */
export const inEnglish = (message: string): string => readForeign(message)?.text ?? message

/** Words of greetings, which the glossary has no need of. */
const greetings: [Foreign, RegExp][] = [
  ['ja', isJapanese],
  ['de', /\b(hallo|guten|moin|servus|hilfe)\b/i],
  ['fr', /\b(bonjour|salut|bonsoir|aide|aidez)\b/i],
  ['es', /\b(hola|buen[oa]s|ayuda)\b|qué tal/iu]
]

/** @returns the language of the first of the messages that shows one, English else */
export function languageOf (messages: string[]): Language {
  for (const message of messages) {
    const found = readForeign(message)?.language ?? greetings.find(([, form]) => form.test(message))?.[0]
    if (found) return found
    if (englishWords(message) > 0) return 'en'
  }
  return 'en'
}

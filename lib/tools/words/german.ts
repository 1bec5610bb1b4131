import type { Vocabulary } from './vocabulary.js'

export const german: Vocabulary = {
  list: 'liste auflisten welche welcher welches alle sämtliche übersicht aufzählen',
  read: 'zeigen zeig zeige lesen lies lese anzeigen ansehen schau sieh anschauen öffnen öffne vorlesen aufmachen',
  create: 'erstellen erstelle anlegen anlege leg_an lege_an neu neue neuer neues neuen beginnen anfangen fang_an ' +
    'starten eröffnen einrichten richte_ein aufsetzen setz_auf aufmachen hinzufügen füge_hinzu registrieren',
  add: 'hinzufügen füge_hinzu ergänzen aufnehmen nimm_auf dazu pack_dazu anhängen häng_an beilegen einfügen',
  change: 'ändern ändere bearbeiten anpassen pass_an korrigieren umstellen stell_um ersetzen aktualisieren ' +
    'abändern abschalten ausschalten einschalten schalte_aus schalte_ein schalt_ab berichtigen setzen ' +
    'verschärfen ab_jetzt künftig',
  rename: 'umbenennen benenne_um heißen heißt nennen umtaufen',
  write: 'schreiben schreib schreibe verfassen formulieren entwerfen aufsetzen texten',
  rewrite: 'umschreiben schreib_um umformulieren formulier_um überarbeiten kürzen neu_schreiben',
  delete: 'löschen lösche entfernen wegwerfen wirf_weg beseitigen streichen tilgen verwerfen entsorgen raus ' +
    'nicht_mehr nimm_raus',
  cancel: 'abbrechen brich_ab stoppen anhalten halte_an stornieren absagen sag_ab beenden aufhören hör_auf ' +
    'unterbrechen nicht_schicken nicht_senden nicht_verschicken stopp',
  archive: 'archivieren archivier wegräumen räum_weg ablegen leg_ab weglegen abgeschlossen fertig beendet ' +
    'erledigt ausblenden schließen',
  approve: 'freigeben gib_frei freigabe genehmigen zustimmen abnehmen nimm_ab bestätigen absegnen',
  reject: 'ablehnen lehne_ab lehn_ab zurückweisen weise_zurück verwerfen abweisen',
  accept: 'annehmen nimm_an übernehmen übernimm akzeptieren',
  review: 'prüfung review durchsicht gegenlesen begutachten korrektur lektorat prüfen',
  restore: 'wiederherstellen stell_her stelle_her zurückholen hol_zurück zurück zurücksetzen setz_zurück ' +
    'zurückkehren wieder rückgängig zurückgehen geh_zurück',
  undelete: 'gelöschten gelöscht weggeworfen zurückholen hol_zurück versehentlich papierkorb',
  previous: 'vorig vorige vorher vorherig früher frühere gestern alten letzten davor',
  retry: 'nochmal noch_mal noch_einmal erneut wiederholen wiederhole neuer_versuch versuch_nochmal',
  continue: 'fortsetzen setz_fort setze_fort weitermachen mach_weiter weiter fortfahren',
  failed: 'fehlgeschlagen fehlschlag gescheitert scheitern fehler kaputt rot schiefgegangen misslungen ' +
    'schlug_fehl defekt warum',
  compare: 'vergleichen vergleiche unterschied unterschiede geändert verändert unterscheiden anders zwischen',
  deploy: 'deployen ausrollen roll_aus rolle_aus ausliefern liefer_aus live_bringen bring_live bringe_live ' +
    'ausspielen einspielen spiel_ein veröffentlichen',
  rollback: 'zurückrollen rolle_zurück zurück zurückdrehen rückgängig kaputt vorige',
  rollout: 'deployment auslieferung ausrollen rollout ausgerollt ausgeliefert',
  restart: 'neustart neustarten starte_neu neu_starten startet_neu durchstarten',
  scale: 'skalieren hochskalieren hochfahren fahr_hoch fahre_hoch herunterfahren verdoppeln kopien instanzen ' +
    'replikate mehr weniger aufstocken erhöhen erhöh reduzieren halbieren stück',
  run: 'ausführen führ_aus führe_aus laufen läuft lass_laufen aufrufen ruf_auf anstoßen stoß_an starten auslösen',
  test: 'prüfen prüfe testen teste überprüfen kontrollieren fehlen klappt funktioniert',
  publish: 'veröffentlichen veröffentliche online_stellen stell_online stelle_online publizieren posten ' +
    'rausbringen live_schalten schalte_live bring_raus verschicken versenden herausgeben',
  unpublish: 'zurückziehen zieh_zurück herunternehmen nimm_herunter nimm_runter offline vom_netz nimm_von ' +
    'depublizieren nimm_vom von_der_website runter_von',
  scheduled: 'geplant geplante planen vorgemerkt terminiert morgen freitag montag',
  generate: 'generieren erzeugen erzeuge schreiben schreib schreibe erstellen verfassen ausarbeiten erarbeiten',
  translate: 'übersetzen übersetze übersetzung deutsche englische französische spanische ins_englische ins_deutsche',
  search: 'suchen suche such finden finde heraussuchen enthält erwähnt vorkommt',
  propose: 'vorschlagen schlag_vor einreichen reich_ein',
  progress: 'fortschritt stand steht weit fertig läuft schon durch schritt status',
  succeeded: 'erfolg erfolgreich geklappt gelungen durchgelaufen grün',
  health: 'startet kommt_hoch gesund gesundheit zustand abstürzen stürzt_ab neu_starten startet_neu läuft_nicht ' +
    'probleme ausfall langsam',
  history: 'verlauf historie bisher wer wann vergangene geändert',
  settings: 'einstellung einstellungen konfiguration konfiguriert eingestellt eingerichtet umgebungsvariablen',
  permission: 'berechtigung berechtigungen recht rechte zugriff zugang darf rolle zugangsdaten',
  cost: 'kosten kostet gekostet ausgaben ausgegeben rechnung geld bezahlt teuer preis bezahlen euro wieviel ' +
    'wie_viel ausgeben',
  account: 'amazon konto konten zugang aws',
  cluster: 'cluster',
  service: 'dienst dienste service services',
  container: 'container',
  function: 'funktion funktionen lambda',
  log: 'log logs protokoll protokolle ausgabe ausgegeben meldungen fehlermeldung geschrieben zeilen fehler',
  image: 'abbild image images',
  app: 'anwendung anwendungen app apps laden shop',
  build: 'build builds pipeline',
  release: 'release auslieferung fassung stand version neueste aktuellen',
  repository: 'repository repositories repo repos codeablage',
  file: 'datei dateien dockerfile readme ordner verzeichnis quelltext json',
  commit: 'commit commits committet eingecheckt änderungen',
  pull: 'pull_request pull_requests pr prs merge_request',
  issue: 'ticket tickets issue meldung fehlerbericht',
  activity: 'passiert geschehen los aktivität aktivitäten ereignisse getan',
  webhook: 'webhook webhooks hook',
  project: 'projekt projekte vorhaben arbeiten',
  spec: 'spezifikation spezifikationen spec anforderung anforderungen pflichtenheft lastenheft',
  input: 'unterlagen eingabe eingaben quelle quellen notizen mitschrift protokoll interview dokument dokumente ' +
    'material',
  version: 'version versionen fassung fassungen stand entwurf',
  generation: 'generierung generierungen generiert erzeugt geschrieben entstanden schreiben erzeugung',
  standard: 'standard standards norm normen richtlinie richtlinien regel regeln vorgaben regelwerk',
  brand: 'marke ton duzen siezen tonfall tonalität stil ansprache wortwahl sprache kunden begriffe anrede ' +
    'schreibweise',
  brief: 'briefing briefings brief',
  content: 'artikel beitrag beiträge text texte inhalt inhalte newsletter mail pressemitteilung pressetext post blog',
  article: 'artikel beitrag text pressemitteilung pressetext blogbeitrag newsletter',
  paragraph: 'absatz absätze überschrift titel satz abschnitt einleitung',
  suggestion: 'vorschlag vorschläge vorgeschlagen vorgeschlagene ki',
  publication: 'veröffentlichung veröffentlichungen versand erschienen ausgespielt verschickt rausgegangen',
  target: 'website webseite kanal kanäle ziel ziele seite',
  newsletter: 'newsletter rundbrief mail rundmail'
}

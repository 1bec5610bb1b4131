# language: de
Funktionalität: Wechselgeld

  Szenario: Ein Schein
    Gegeben sei eine Fahrt für 3 Euro
    Und ⟦n ich muss mit 5 Euro zahlen⟧
    Wenn ich den Schein einschiebe
    Dann ⟦n sollte der Automat 2 Euro ausgeben⟧

  Regel: ⟦r Der Automat darf keine Münzen behalten.⟧

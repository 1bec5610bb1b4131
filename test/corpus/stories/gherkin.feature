Feature: Parking permits
  ⟦r As a resident
  I want to buy a parking permit online
  So that I need not take a day off⟧

  Background:
    Given a resident who has signed in

  Rule: ⟦r A household may hold at most two permits⟧

    Scenario: first permit
      Given a household without a permit
      When the resident pays 30 EUR
      Then a permit for 12 months is issued

    Scenario: third permit
      Given a household with two permits
      When the resident asks for a permit
      Then the request is refused
      And nothing is charged

    Scenario Outline: fees
      When a resident of zone <zone> asks for the fee
      Then the fee is <fee>

      Examples:
        | zone | fee |
        | A    | 30  |
        | B    | 18  |

  # The clerk must still sign permits for lorries by hand.

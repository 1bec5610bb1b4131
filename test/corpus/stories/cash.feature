Feature: Withdraw cash
  ⟦r In order to get money when the bank is closed
  As an account holder
  I want to withdraw cash from a machine⟧

  Background:
    ⟦n Given the card is enabled⟧

  Rule: ⟦r An account may not be overdrawn⟧

    Scenario: Not enough money
      ⟦n Given the balance is 10⟧
      ⟦n When the holder requests 20⟧
      ⟦n Then the machine should not give any money⟧

    Scenario Outline: Wrong number
      ⟦n When the number is entered wrongly <times> times⟧
      ⟦n Then the card is <what>⟧

      Examples:
        | times | what     |
        | 2     | returned |
        | 3     | kept     |

import Contracts

/// Judges registrations of an app's own tokens.
///
/// Tested by: `OrderRulesTests`.
///
/// | the token is | registered for | judgement             |
/// |--------------|----------------|-----------------------|
/// | an order's   | –              | refused: tokenIsOrder |
/// | free         | nobody         | `applied`             |
/// | taken        | this buyer     | `repeated`            |
/// | taken        | another buyer  | refused: tokenTaken   |
enum TokenRegistration {
    /// Whether the registration of a token for `buyer` is new; `owner` is the token's present owner.
    static func judge(_ buyer: BuyerID, owner: BuyerID?, order: Order?) throws(RequestRefusal) -> Transition {
        guard order == nil else { throw .tokenIsOrder }
        guard let owner else { return .applied }
        guard owner == buyer else { throw .tokenTaken }
        return .repeated
    }
}

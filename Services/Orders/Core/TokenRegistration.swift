import Contracts

/// Judges registrations of an app's own tokens.
///
/// | the token is | registered for | judgement           |
/// |--------------|----------------|---------------------|
/// | an order's   | –              | refused: isOrder    |
/// | free         | nobody         | `applied`           |
/// | taken        | this buyer     | `repeated`          |
/// | taken        | another buyer  | refused: taken      |
enum TokenRegistration {
    /// Why a token is not registered.
    enum Refusal: Error, Equatable, Sendable, CaseIterable {
        case notUUID
        case isOrder
        case taken
    }

    /// Whether the registration of a token for `buyer` is new; `owner` is the token's present owner.
    ///
    /// - Throws: `Refusal`.
    static func judge(
        for buyer: BuyerID,
        owner: BuyerID?,
        isOrder: Bool
    ) throws(Refusal) -> Transition {
        guard !isOrder else { throw .isOrder }
        guard let owner else { return .applied }
        guard owner == buyer else { throw .taken }
        return .repeated
    }
}

package import Contracts

/// Judges registrations of an app's own tokens.
///
/// | the token is | registered for | judgement           |
/// |--------------|----------------|---------------------|
/// | an order's   | –              | refused: isOrder    |
/// | free         | nobody         | `applied`           |
/// | taken        | this buyer     | `repeated`          |
/// | taken        | another buyer  | refused: taken      |
package enum TokenRegistration {
    /// Why a token is not registered.
    package enum Refusal: Error, Equatable, Sendable, CaseIterable {
        case notUUID
        case isOrder
        case taken
    }

    /// Judges a registration for `buyer` of a token that `owner` may have already.
    ///
    /// - Returns: whether the registration is new.
    /// - Throws: `Refusal`.
    package static func judge(
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

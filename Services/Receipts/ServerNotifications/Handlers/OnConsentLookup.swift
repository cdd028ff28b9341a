import Contracts
import Delivery

/// `counterfoil.consent.lookup.v1`: this partition's buyers with the account are told to the app's server.
///
/// The ledger and the claims stay as they are: what was paid was paid.
struct OnConsentLookup {
    var claimsPerTurn = AccountSearchTurns.claimsPerTurn

    func callAsFunction(
        _ message: Event<ConsentLookupV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        try AccountSearches(context).advance(AccountSearch(message.data), claimsPerTurn: claimsPerTurn)
        return .applied
    }
}

/// What the screen of a product shows.
public enum PurchaseState: Equatable, Sendable {
    /// It can be bought.
    case ready
    /// An order is being made; nothing is paid.
    case ordering
    /// StoreKit has the word.
    case paying
    /// Somebody else has to approve the payment (Ask to Buy); it may take days, and the app may be closed.
    case waitingForApproval
    /// It is paid, and the goods are on their way. `isSlow` once a try has failed or takes long: then say that the
    /// buyer has paid, and must not pay again.
    case delivering(isSlow: Bool)
    /// The goods are in the buyer's ledger.
    case done
    /// The buyer has it, and may have it but once.
    case alreadyOwned
    /// Waiting alone does not help; `code` is what the buyer reads to support. No money is lost: what was paid is kept.
    case needsHelp(code: String)
}

/// The state of a product, and texts where there is more to say.
public struct PurchaseScreen: Equatable, Sendable {
    /// What there is to see and do.
    public internal(set) var state: PurchaseState
    /// A text for the buyer, in the phone's language: what the gateway says of a payment that failed.
    public internal(set) var message: String?
    /// Why the gateway refuses, in English: for support, and no text for a buyer.
    public internal(set) var detail: String?
    /// Whether what `needsHelp` is paid: then it stays on the screen, and cannot be bought, whatever was read.
    public internal(set) var isPaid = false

    /// What `delivering(isSlow: true)` says, in English or, for a language that begins with `zh`, in Chinese.
    public static func slowDeliveryText(language: String) -> String {
        language.lowercased().hasPrefix("zh")
            ? "您已付款，请稍候，不要重复付款。" : "You have paid. Please wait, and do not pay again."
    }
}

import Contracts

/// The part of a grant by which nothing is looked up.
struct GrantDocument: Codable, Equatable {
    var goods: [Goods]
    var grantedAt: Timestamp?
    var order: OrderTerms
    var transaction: TransactionFacts
    var submittedAs: TransactionID?
    /// Nil of a proof that names its order, as nearly all do, so that they stay short.
    var namesNoOrder: Bool?
    /// Nil while the buyer who paid has it.
    var holderStatus: HolderStatus?
}

extension GrantDocument: DirectlyCoded {
    init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        goods = try json.member("goods", value?.goods)
        grantedAt = try json.optional("grantedAt", value?.grantedAt)
        order = try json.member("order", value?.order)
        transaction = try json.member("transaction", value?.transaction)
        submittedAs = try json.optional("submittedAs", value?.submittedAs)
        namesNoOrder = try json.optional("namesNoOrder", value?.namesNoOrder)
        holderStatus = try json.optional("holderStatus", value?.holderStatus)
        try json.close()
    }
}

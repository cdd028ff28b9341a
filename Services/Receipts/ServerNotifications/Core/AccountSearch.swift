import Contracts

/// The search for the buyers of an Apple Account whose consent was withdrawn, among all claims of a partition.
///
/// Tested by: `RescindedConsentTests`.
///
/// No index of the claims has the account, as that would cost every purchase. So a page of claims is read a turn, by
/// their keys:
///
/// | page           | directives                            |
/// |----------------|---------------------------------------|
/// | not the last   | save                                  |
/// | the last       | tell, in messages of 100; remove      |
///
/// Where nobody is found, one partition tells that of the account alone.
struct AccountSearch: Codable, Equatable, Sendable {
    /// Who has bought with the account, of some claims.
    struct Page: Equatable, Sendable {
        var buyers: [BuyerID]
        /// The key of the last claim; nil of the last page.
        var end: [String]?
    }

    enum Directive: Equatable, Sendable {
        case save
        case tell([BuyerID], part: Int)
        case remove
    }

    /// Most buyers in one message.
    static let buyersPerMessage = 100

    let lookup: ConsentLookupV1
    /// The key of the last claim that was read; empty at first.
    private(set) var after: [String] = []
    /// Who was found, in order.
    private(set) var buyers: [BuyerID] = []

    init(_ lookup: ConsentLookupV1) { self.lookup = lookup }

    mutating func apply(_ page: Page) -> [Directive] {
        buyers = Set(buyers + page.buyers).sorted { $0.rawValue < $1.rawValue }
        if let end = page.end {
            after = end
            return [.save]
        }
        guard !buyers.isEmpty else {
            return (lookup.isAlwaysTold ? [.tell([], part: 0)] : []) + [.remove]
        }
        let size = Self.buyersPerMessage
        let messages = stride(from: 0, to: buyers.count, by: size).map { start in
            Directive.tell(Array(buyers.dropFirst(start).prefix(size)), part: start / size)
        }
        return messages + [.remove]
    }
}

import LoadVerdict
import Testing

@testable import LoadGenerator

@Suite struct `the judge of compensations` {
    private static let products = [Product(id: "coins", amount: nil, amounts: ["coins": 100])]
    private static let proposal = "c4f2a0123456789abcdef0123456789ab"
    private static let payment: UInt64 = 7

    private static func entry(_ kind: String, amount: Int64 = 100) -> LedgerPage.Entry {
        var entry = LedgerPage.Entry(kind, "coins", amount)
        entry.transactionId = "compensation.\(proposal)"
        return entry
    }

    /// One of buyer 3 whose proof was acknowledged.
    private static func book() -> CompensationBook {
        var book = CompensationBook()
        book.begin(proposal, .init(buyer: 3, product: 0))
        book.confirm(proposal)
        book.expect(payment, instead: proposal)
        book.close(proposal)
        return book
    }

    /// Whether every entry was explained, and what is found of the book afterwards.
    private static func judged(
        _ book: CompensationBook,
        _ steps: [(inout CompensationBook) -> Bool]
    ) -> (isExplained: Bool, book: CompensationBook) {
        var book = book
        var isExplained = true
        for step in steps where !step(&book) { isExplained = false }
        return (isExplained, book)
    }

    private static func note(
        _ kind: String,
        _ amount: Int64 = 100,
        of buyer: Int32 = 3
    ) -> (inout CompensationBook) -> Bool {
        { $0.note(entry(kind, amount: amount), of: buyer, products) }
    }

    /// The ledger has the purchase, in the transaction of the entries of the samples or another one.
    private static func prove(after milliseconds: Int64 = 0) -> (inout CompensationBook) -> Bool {
        { book in
            book.noteGrant(of: payment, at: HoldingsReading.sampleTime + milliseconds)
            return true
        }
    }

    @Test func `finds nothing wrong where the purchase takes their place in one transaction`() {
        let (isExplained, book) = Self.judged(
            Self.book(),
            [Self.note("grant"), Self.prove(), Self.note("reversal")]
        )
        #expect(isExplained && book.wrong == 0 && book.matched == 1 && book.confirmed == 1)
        #expect(book.changes.allSatisfy { $0.amount == 0 })
    }

    @Test func `finds one that stood beside its purchase for a while, or still does`() {
        let later = Self.judged(
            Self.book(),
            [Self.note("grant"), Self.prove(after: -1), Self.note("reversal")]
        )
        #expect(later.book.wrong == 1)
        let never = Self.judged(Self.book(), [Self.note("grant"), Self.prove()])
        #expect(never.book.wrong == 1 && never.book.changes.map(\.amount) == [100])
    }

    @Test func `finds one that is given twice, or when its purchase is there`() {
        #expect(Self.judged(Self.book(), [Self.note("grant"), Self.note("grant")]).book.wrong == 1)
        let late = [Self.prove(), Self.note("grant"), Self.note("reversal")]
        #expect(Self.judged(Self.book(), late).book.wrong == 1)
    }

    @Test func `explains no entry that no operator has led to`() {
        #expect(!Self.judged(CompensationBook(), [Self.note("grant")]).isExplained)
        #expect(!Self.judged(Self.book(), [Self.note("grant", of: 4)]).isExplained)
        #expect(!Self.judged(Self.book(), [Self.note("grant", 101)]).isExplained)
        #expect(!Self.judged(Self.book(), [Self.note("reinstatement")]).isExplained)
    }
}

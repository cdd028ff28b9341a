import Contracts
import Domain
import Program

/// A page of a list for a terminal.
struct DeskListText {
    let rows: [DeskListing]
    let next: DeskPage.Place?
    let language: DeskLanguage

    var text: String {
        guard !rows.isEmpty || next != nil else { return DeskTexts.text(.nothingWaits, language).filled([:]) }
        let lines = rows.flatMap { row in [Self.line(row)] + details(of: row).map { "    \($0)" } }
        let more = next.map { [DeskTexts.text(.more, language).filled(["after": $0.cursor])] } ?? []
        return (lines + more).map(LogText.escaped).joined(separator: "\n")
    }

    private static func line(_ row: DeskListing) -> String {
        let id =
            row.proposalId?.rawValue ?? row.purchaseId?.rawValue ?? row.orderId?.rawValue
            ?? row.receiptId?.rawValue
        let tries = row.attempts.map { "× \($0)" }
        let behind = row.behind.flatMap { $0 > 0 ? "+ \($0)" : nil }
        let parts: [String?] = [
            row.age, row.what, id, row.buyerId?.rawValue, row.productId?.rawValue, row.sum, row.why, tries,
            behind,
        ]
        return parts.compactMap(\.self).joined(separator: "  ")
    }

    private func details(of row: DeskListing) -> [String] {
        let holders = row.holders.joined(separator: ", ")
        let likely = DeskTexts.text(.likelyHolder, language).filled(["holder": holders])
        let offer = row.offer.map { [$0] } ?? []
        return offer + (holders.isEmpty ? [] : [likely]) + ["→ " + row.help]
    }
}

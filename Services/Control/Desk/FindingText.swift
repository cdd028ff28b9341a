import Contracts
import Domain
import Program

/// A finding for a terminal, in which nothing controls the terminal: the sentence, then each purchase line by line.
struct FindingText {
    let finding: DeskFinding
    let language: DeskLanguage
    /// Whether each line says by which ids it is known.
    let hasEvidence: Bool

    var text: String {
        guard !finding.purchases.isEmpty else { return LogText.escaped(finding.sentence) }
        let parts = finding.purchases.map { purchase in
            ([heading(of: purchase), ids(of: purchase)] + purchase.lines.flatMap(lines)).compactMap(\.self)
                .joined(separator: "\n")
        }
        let zone = DeskTexts.text(.timesAreUTC, language).filled([:])
        return ([LogText.escaped(finding.sentence) + " (\(zone))"] + parts).joined(separator: "\n\n")
    }

    /// Nil where there is one purchase alone, of which the sentence on top speaks.
    private func heading(of purchase: DeskFinding.Purchase) -> String? {
        finding.purchases.count == 1 ? nil : LogText.escaped(purchase.sentence)
    }

    /// What `assign`, `grant` and `trace` ask for.
    private func ids(of purchase: DeskFinding.Purchase) -> String {
        var ids: [String: String] = [:]
        ids["buyer"] = purchase.buyerId?.rawValue
        ids["order"] = purchase.orderId?.rawValue
        ids["purchase"] = purchase.purchaseId?.rawValue
        return "  " + LogText.escaped(DeskTexts.text(.ids, language).filled(ids))
    }

    private func lines(_ line: DeskFinding.Line) -> [String] {
        let time = line.time.rfc3339.replacing("T", with: " ").prefix(19)
        var lines = ["  \(time)  \(LogText.escaped(line.text))"]
        if let help = line.help { lines.append("                       → \(LogText.escaped(help))") }
        guard hasEvidence else { return lines }
        let evidence = line.evidence.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        if !evidence.isEmpty {
            lines.append("                       \(LogText.escaped(evidence.joined(separator: ", ")))")
        }
        return lines
    }
}

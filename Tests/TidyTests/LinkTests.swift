import Foundation
import Testing

/// The links between services, as `LinkKind.all` has them, and as the pages tell of them.
@Suite struct Links {
    /// `forward` or `answer`, by the names of sender and receiver.
    typealias Table = [String: [String: String]]

    /// What `LinkKind.all` says.
    private static func links() throws -> Table {
        let code = try House.contents("Shared/Delivery/Handling/LinkKind.swift")
        var table: Table = [:]
        for sender in code.matches(of: /\.(\w+): \[([^\]]*)\]/) {
            for receiver in sender.2.matches(of: /\.(\w+): \.(\w+)/) {
                table[sender.1.capitalized, default: [:]][receiver.1.capitalized] = String(receiver.2)
            }
        }
        return table
    }

    @Test func `The table on the page of Delivery has every link and its kind, and no other`() throws {
        var told: Table = [:]
        for line in try House.contents("Shared/Delivery/README.md").split(separator: "\n") {
            guard let row = line.wholeMatch(of: /\| (\w+) \| ([\w, ]+) \| (forward|answer)\b.*/) else {
                continue
            }
            for receiver in row.2.split(separator: ", ") {
                told[String(row.1), default: [:]][String(receiver)] = String(row.3)
            }
        }
        let links = try Self.links()
        #expect(links.count == Floors.statefulServices.count)
        #expect(told == links)
    }

    @Test func `The drawing of the services has an arrow for every link between two services`() throws {
        let lines = try House.contents("Services/README.md").split(separator: "\n")
        let index = try #require(lines.firstIndex { $0.contains("│ Receipts") })
        let row = lines[index].split(separator: "│")
        let names = row.compactMap { $0.firstMatch(of: /^ (\w+) +$/).map { String($0.1) } }
        let arrows = row.compactMap { $0.firstMatch(of: /^[◀─]─[▶─]$/).map { String($0.0) } }
        #expect(Set(names) == Set(Floors.statefulServices) && arrows.count == names.count - 1)
        let links = try Self.links()
        func isLink(_ sender: String, _ receiver: String) -> Bool { links[sender]?[receiver] != nil }
        for ((left, right), arrow) in zip(zip(names, names.dropFirst()), arrows) {
            #expect(arrow.hasSuffix("▶") == isLink(left, right), "\(left) to \(right)")
            #expect(arrow.hasPrefix("◀") == isLink(right, left), "\(right) to \(left)")
        }
        // What comes from a service that is no neighbour comes from below.
        let bottom = try #require(lines[index...].first { $0.contains("┘   └") })
        let edges = bottom.split(separator: /┘ +└/)
        #expect(edges.count == names.count)
        for (place, (name, edge)) in zip(names, edges).enumerated() {
            let others = names.enumerated().filter { abs($0.offset - place) > 1 }.map(\.element)
            #expect(edge.contains("▲") == others.contains { isLink($0, name) }, "from below to \(name)")
        }
    }
}

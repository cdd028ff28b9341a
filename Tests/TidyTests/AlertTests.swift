import Testing

/// The rules for Prometheus in `deploy/examples` against the table of metrics in `deploy/README.md`.
@Suite struct Alerts {
    @Test func `Each metric on which the page alarms has a rule, and no rule another one`() throws {
        let rules = try House.contents("deploy/examples/alerts.yml")
        let page = try House.contents("deploy/README.md")
        let alarmed = page.split(separator: "\n").filter { $0.hasPrefix("| `counterfoil_") }
            .compactMap { $0.split(separator: "|").first }
        #expect(alarmed.count > 20)
        #expect(Self.metrics(in: rules) == Self.metrics(in: alarmed.joined()))
    }

    private static func metrics(in text: String) -> Set<String> {
        Set(text.matches(of: /counterfoil_\w*[a-z]\b/).map { String($0.0) })
    }
}

import Testing

/// Constructs that the compiler takes and the house does not.
@Suite struct `Banned constructs` {
    struct Ban: Sendable, CustomStringConvertible {
        let what: String
        /// Finds it in code; comments and literals are blanked out.
        let pattern: String
        var folders = House.product + ["Tests"]
        /// Files and folders where it may stand, each with the reason.
        var allowed: [String: String] = [:]

        var description: String { what }
    }

    static let decisions =
        Floors.statefulServices.map { "Services/\($0)/Core" } + ["Shared/Delivery/Core"]
    static let coresAndShells =
        decisions + ["Shared/Contracts"]
        + Floors.statefulServices.flatMap { ["Services/\($0)/Handlers", "Services/\($0)/Store"] }

    static let bans: [Ban] = [
        Ban(what: "an error thrown away by try?", pattern: #"\btry\?"#),
        Ban(what: "a crash by try!", pattern: #"\btry!"#),
        Ban(what: "a crash by as!", pattern: #"\bas!"#),
        Ban(what: "a crash by fatalError", pattern: #"\bfatalError\b"#),
        Ban(
            what: "a crash by preconditionFailure",
            pattern: #"\bpreconditionFailure\b"#,
            folders: House.product,
            allowed: [
                "Shared/Delivery/Wire/WireCoder.swift": "a header of ours always has a JSON form",
                "Shared/Delivery/Engine/MessageDecoder.swift": "a constant key that is always valid",
            ]
        ),
        Ban(
            what: "a task that nobody waits for",
            pattern: #"\bTask\s*[{(<]|\bTask\.(detached|immediate)"#,
            folders: House.product
        ),
        Ban(
            what: "a queue or thread of Dispatch",
            pattern: #"\bDispatchQueue\b"#,
            folders: House.product
        ),
        Ban(
            what: "a mutex in which ThreadSanitizer sees false races",
            pattern: #"\bMutex\s*[<(]"#
        ),
        Ban(what: "a hash that differs in every process", pattern: #"\.hashValue\b"#),
        Ban(
            what: "a line on standard output",
            pattern: #"\bprint\("#,
            folders: House.product,
            allowed: [
                "Services/Control": "the operator's command answers on standard output",
                "Services/Gateway/Gateway.swift": "says where it listens, as port 0 needs",
                "Shared/Program/Launch.swift": "prints --help",
            ]
        ),
        Ban(
            what: "a crash when standard output is closed",
            pattern: #"FileHandle\.standardOutput\.write\([^c]"#,
            folders: House.product
        ),
        Ban(
            what: "time, chance or a new id that was not passed in",
            pattern: #"\bDate(\.now\b|\(\))|\bUUID\(\)|\.random\(|\bSystemRandomNumberGenerator\b|Clock\(\)"#,
            folders: coresAndShells
        ),
        Ban(
            what: "waiting in a core or a shell",
            pattern: #"\b(await|async)\b"#,
            folders: coresAndShells
        ),
        Ban(what: "a catch-all in a decision", pattern: #"(?m)^\s*default:"#, folders: decisions),
        Ban(
            what: "a sleep in a test",
            pattern: #"\b(Task\.sleep|Thread\.sleep|usleep|nanosleep|sleep)\("#,
            folders: ["Tests"],
            allowed: [
                "Tests/AppStoreSimulator": "a program: it retries and delays by the clock",
                "Tests/LoadGenerator": "a program: it paces its load by the clock",
                "Tests/Benchmarks": "a program: it measures over time",
                "Tests/TestKit/Eventually.swift":
                    "the one pause between two looks at other processes",
                "Tests/SystemTests/Harness/LooseGroup.swift":
                    "looks after processes, as `counterfoil up` does",
            ]
        ),
    ]

    @Test(arguments: bans)
    func `Nobody writes`(ban: Ban) throws {
        let pattern = try Regex(ban.pattern)
        var used: Set<String> = []
        for file in try House.sources(ban.folders) {
            for (number, line) in file.codeLines.enumerated() where line.contains(pattern) {
                let place = ban.allowed.keys.first { file.isIn([$0]) }
                if let place { used.insert(place) }
                #expect(place != nil, "\(ban.what) in \(file.path):\(number + 1)")
            }
        }
        let unused = Set(ban.allowed.keys).subtracting(used)
        #expect(unused.isEmpty, "allowed for nothing: strike it off the list")
    }

    @Test func `Whatever escapes the check of concurrency gives its reason on its line`() throws {
        for file in try House.sources() {
            for (number, (line, code)) in zip(file.lines, file.codeLines).enumerated()
            where code.contains("@unchecked Sendable") || code.contains("nonisolated(unsafe)") {
                let above = number > 0 ? file.lines[number - 1].trimmingPrefix(/\s*/) : ""
                let isExplained = line.contains(/\/\/ \S+ \S+/) || above.hasPrefix("//")
                #expect(isExplained, "\(file.path):\(number + 1) says no reason")
            }
        }
    }

    private static func texts() throws -> [(path: String, text: String)] {
        try House.texts(and: ["Package.swift", "README.md", ".swift-format", ".gitignore"])
    }

    @Test func `Nothing is left to be done later`() throws {
        // Written in halves, so that this file passes its own rule.
        let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X:", "HA" + "CK:"]
        for (path, text) in try Self.texts() {
            for mark in marks where text.contains(mark) { Issue.record("\(mark) in \(path)") }
        }
    }

    @Test func `No file names a place of somebody's machine`() throws {
        let places = ["home/[a-z]", "Users/[A-Za-z]", "wo" + "rk/", "ro" + "ot/[a-z.]", "opt/swift"]
        let pattern = try Regex("(^|[^A-Za-z0-9_.\\-/:}])/(" + places.joined(separator: "|") + ")")
        for (path, text) in try Self.texts() {
            for line in text.split(separator: "\n") where line.contains(pattern) {
                Issue.record("\(path): \(line.trimmingPrefix(/\s*/))")
            }
        }
    }
}

import Foundation
import Testing

/// Everything in its place.
@Suite struct Folders {
    @Test func `The top of the repository holds what the README shows, and what git does not see`() throws {
        let known: Set<String> = ["Package.swift", "README.md", "Services", "Shared", "Tests", "deploy"]
        let unseen: Set<String> = ["Package.resolved"]
        let visible = Set(try House.entries("").filter { !$0.hasPrefix(".") }).subtracting(unseen)
        #expect(visible == known)
    }

    @Test(arguments: Floors.statefulServices)
    func `A service with a store has the same rooms as the others`(service: String) throws {
        let entries = try House.entries("Services/\(service)")
        for room in ["Core", "Handlers", "Store"] {
            let files = try House.sources(["Services/\(service)/**/\(room)"])
            #expect(!files.isEmpty, "\(service) has no \(room)")
        }
        #expect(entries.contains("\(service).swift") && entries.contains("\(service)Service.swift"))
    }

    @Test func `A folder of handlers holds one file per message, and nothing else`() throws {
        for (path, _) in try House.texts(in: House.product) where path.contains("/Handlers/") {
            let isHandler = path.contains(/\/Handlers\/On[A-Z]\w*\.swift$/)
            #expect(isHandler, "\(path)")
        }
    }

    @Test func `A handler's file holds its handler, and besides only what no other file sees`() throws {
        let words = "(struct|class|enum|actor|protocol|typealias|func|let|var|init|subscript)"
        let declaration = try Regex(#"^(\w+ )*\#(words)\b"#)
        let member = try Regex(#"^    (\w+ )*\#(words)\b"#)
        for file in try House.sources(["Services/**/Handlers"]) {
            var isInExtension = false
            for (number, line) in file.codeLines.enumerated() {
                if !line.isEmpty, !line.hasPrefix(" ") { isInExtension = line.hasPrefix("extension ") }
                let isOwn = line.hasPrefix("struct \(file.name) ") || line.contains("private ")
                let isSeen = line.contains(isInExtension ? member : declaration)
                #expect(isOwn || !isSeen, "\(file.path):\(number + 1)")
            }
        }
    }

    /// Generated: nobody looks for a file there, and it grows with the folders of contracts.
    private static let unread: Set<Substring> = ["Shared/Contracts/Generated"]

    @Test func `No folder holds more than 25 Swift files of its own`() throws {
        for (folder, files) in Dictionary(grouping: try House.sources(House.product), by: \.folder)
        where !Self.unread.contains(folder) {
            #expect(files.count <= 25, "\(folder)")
        }
    }

    /// The app's side is not asked: there the types of an interface stand beside it.
    @Test func `A type of which five other files speak stands in the file of its name`() throws {
        let apps = ["Shared/Client", "Shared/ClientStoreKit"]
        let files = try House.sources(House.product).filter { !$0.isIn(apps) }
        let names = Set(files.map(\.name))
        var speakers: [Substring: Int] = [:]
        for file in files {
            let words = Set(file.code.matches(of: /\b[A-Z]\w+/).map(\.output))
            for word in words { speakers[word, default: 0] += 1 }
        }
        for file in files {
            for match in file.code.matches(of: Self.seenType) where !names.contains(String(match.1)) {
                let isOwn = file.name.hasPrefix("\(match.1)+")
                #expect(isOwn || speakers[match.1, default: 0] <= 5, "\(match.1) in \(file.path)")
            }
        }
    }

    /// At the left edge, and not private.
    private static var seenType: Regex<(Substring, Substring)> {
        /(?m)^(?:package |public |final |indirect )*(?:struct|enum|class|actor|protocol) (\w+)/
    }

    @Test func `A file that only extends one type of its module begins with the name of that type`() throws {
        let files = try House.sources(House.product)
        var types: [Substring: Set<String>] = [:]
        for file in files {
            for match in file.code.matches(of: Self.seenType) {
                types[match.1, default: []].insert(Self.module(of: file))
            }
        }
        for file in files
        where file.code.matches(of: Self.seenType).isEmpty && !Self.unread.contains(file.folder) {
            let extended = Set(file.code.matches(of: /(?m)^(?:package |public )?extension (\w+)/).map(\.1))
            guard extended.count == 1, let type = extended.first,
                types[type]?.contains(Self.module(of: file)) == true
            else { continue }
            #expect(file.name.hasPrefix("\(type)+"), "\(type) in \(file.path)")
        }
    }

    /// `Shared/Domain` or `Services/Orders`.
    private static func module(of file: SourceFile) -> String {
        file.path.split(separator: "/").prefix(2).joined(separator: "/")
    }

    @Test func `No file or type is a drawer for everything`() throws {
        let drawers = ["Utils", "Utilities", "Helpers", "Helper", "Common", "Manager", "Base", "New", "Misc"]
        for file in try House.sources() {
            let parts = file.path.replacing(".swift", with: "").split(separator: "/").map(String.init)
            #expect(Set(parts).isDisjoint(with: drawers), "\(file.path)")
            for match in file.code.matches(of: /\b(?:struct|enum|class|actor|protocol) (\w+)/) {
                let name = String(match.1)
                #expect(!drawers.contains(name) && !name.hasSuffix("Manager"), "\(name) in \(file.path)")
            }
        }
    }

    @Test func `No unit of systemd leaves a core, which would hold keys`() throws {
        let units = try House.entries("deploy/systemd").filter { $0.hasSuffix(".service") }
        #expect(!units.isEmpty)
        for unit in units {
            #expect(try House.contents("deploy/systemd/\(unit)").contains("\nLimitCORE=0\n"), "\(unit)")
        }
    }

    @Test func `No file is a placeholder`() throws {
        for file in try House.sources() {
            #expect(file.name != "Placeholder", "\(file.path)")
        }
    }

    @Test(arguments: [
        "deploy/run", "deploy/test", "deploy/fuzz", "deploy/chaos", "deploy/postgresql", "deploy/install",
        "deploy/client-package", "deploy/hosts/try", "deploy/hosts/chaos",
        "deploy/examples/servers/repeat-and-kill", ".ci/run",
    ])
    func `A command can be executed, and an unset variable is an error in it`(path: String) throws {
        let full = House.root.appending(path: path).path(percentEncoded: false)
        #expect(FileManager.default.isExecutableFile(atPath: full))
        let lines = try House.contents(path).split(separator: "\n")
        #expect(lines.first == "#!/usr/bin/env bash")
        #expect(lines.contains { $0.hasPrefix("set -") && $0.contains("uo pipefail") })
    }
}

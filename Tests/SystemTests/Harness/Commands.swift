import Database
import Foundation
import Glibc
import TestKit
import Testing

extension TestHome.Answer {
    /// Checks with which exit code a program ended, and what it said on standard error, perhaps in one line.
    @discardableResult
    func expect(
        exit code: Int32,
        _ texts: String...,
        inOneLine: Bool = false,
        at location: SourceLocation = #_sourceLocation
    ) -> TestHome.Answer {
        #expect(end == .exited(code), "\(errors)", sourceLocation: location)
        for text in texts { #expect(errors.contains(text), "\(errors)", sourceLocation: location) }
        if inOneLine {
            #expect(errors.split(separator: "\n").count == 1, "\(errors)", sourceLocation: location)
        }
        return self
    }
}

extension TestHome {
    /// Adds an operator; returns the key.
    func operatorKey(_ name: String, _ role: String) async throws -> String {
        let added = try await counterfoil(["operator", "add", name, "--role", role]).succeeded()
        return added.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Runs a command as the operator with this key.
    func counterfoil(_ arguments: [String], as key: String) async throws -> Answer {
        try await run(
            nil,
            arguments + ["--home", root],
            environment: ["COUNTERFOIL_OPERATOR_KEY": key]
        )
    }

    /// Changes a text of `counterfoil.json`.
    func reconfigure(_ old: String, by new: String) throws {
        let file = URL(filePath: root + "/counterfoil.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains(old), "\(text)")
        try Data(text.replacing(old, with: new).utf8).write(to: file)
    }

    /// Opens each store of the home, whose group must be down; `name` is its service and partition.
    func forEachStore(_ body: (_ name: String, SQLiteDatabase) throws -> Void) throws {
        for service in Executables.services {
            for partition in 0..<partitions {
                let store = try SQLiteDatabase(path: "\(root)/data/\(service)/\(partition).sqlite")
                try body("\(service) \(partition)", store)
                try store.close()
            }
        }
    }
}

extension TestGroup {
    /// What a `counterfoil` command that must succeed prints.
    @discardableResult
    func counterfoil(_ arguments: String...) async throws -> TestHome.Answer {
        try await home.counterfoil(arguments).succeeded()
    }

    /// The messages of a story that `counterfoil trace` shows.
    func trace(_ id: String) async throws -> [TraceLine] {
        try await counterfoil("trace", id, "--json").json()
    }

    func scale(_ service: String, to replicas: Int) async throws {
        try await counterfoil("scale", service, String(replicas))
    }

    /// Ends a program's only process with a signal; waits until `up` has started another one.
    ///
    /// - Returns: the processes before and afterwards.
    func replace(
        _ program: String,
        by signal: Int32,
        within limit: Duration,
        meanwhile: () async throws -> Void = {}
    ) async throws -> (former: Int32, next: Int32) {
        let former = try await pid(of: program)
        kill(former, signal)
        try await meanwhile()
        let next = try await eventually("\(program) has a new process", within: limit) {
            try await status().processes(of: program).first { $0 != former }
        }
        return (former, next)
    }

    /// What a gauge says in `/metrics`, of all partitions together.
    func gauge(_ name: String) async throws -> Double {
        let lines = try await metrics().split(separator: "\n").filter { $0.hasPrefix("counterfoil_\(name){") }
        return lines.compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
    }

    /// Waits until operators are told of one thing, by the log and by a gauge.
    func alarms(_ text: String, gauge name: String) async throws {
        try await says(text)
        try await eventually("the figures say so, too") { try await gauge(name) == 1 }
    }

    /// Waits until one of these is in the log.
    func says(_ texts: String...) async throws {
        try await eventually("one of \(texts) is said", detail: { up.output }) {
            texts.contains { up.output.contains($0) }
        }
    }

    /// Waits until something is counted once.
    func countsOnce(_ counter: String) async throws {
        try await eventually("\(counter) is counted once") { try await self.counter(counter) == 1 }
    }

    /// How many replicas of a service own partitions.
    func owners(of service: String) async throws -> Int {
        Set(try await status()[service]?.partitions.compactMap(\.pid) ?? []).count
    }
}
